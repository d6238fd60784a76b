import { complete } from '../engine/pipeline/outcome.ts';
import { defineStage } from '../engine/pipeline/stage.ts';
import { MINUTE } from '../lib/time.ts';

/** Completes the ingestion. A database trigger copies its result to the document. */
export const finalize = defineStage({
  concurrency: 20,
  timeoutMs: 5 * MINUTE,
  bundle: 16,
  run: async () => complete('finalized'),
});
