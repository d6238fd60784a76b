import { openLocalExtractor } from '../../src/extraction/local.ts';
import type { Extractor } from '../../src/extraction/port.ts';

/** The rules in place of a remote model: the stage calls `extract`, which a test may replace. */
export function remoteExtractor(): Extractor {
  const { operation: _, ...extractor } = openLocalExtractor();
  return extractor;
}
