import { extractByRules, rulesEngine } from '../understanding/rules/index.ts';
import type { Extractor } from './port.ts';

/** Extracts by rules. In the pipeline the rules run in the sandbox. */
export function openLocalExtractor(): Extractor {
  return {
    engine: rulesEngine,
    deterministic: true,
    operation: 'understanding.extract',
    async extract(transcription, schema, signal) {
      signal.throwIfAborted();
      return extractByRules(transcription, schema);
    },
    async close() {},
  };
}
