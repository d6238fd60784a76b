import { endIngestion } from '../engine/end-ingestion.ts';
import { done } from '../engine/outcome.ts';
import { defineStage } from '../engine/stage.ts';
import { MINUTE } from '../lib/time.ts';

/** Ends the ingestion. A trigger carries its result to the document. */
export const finalize = defineStage({
  concurrency: 20,
  timeoutMs: 5 * MINUTE,
  async run({ ingestion: { id } }) {
    return done('finalized', (tx) => endIngestion(tx, id, { status: 'completed' }));
  },
});
