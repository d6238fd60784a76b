import { PermanentError } from '../../../errors.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { RunOptions } from '../../../sandbox/worker-process.ts';
import { checkLane, type SourceFile } from '../port.ts';

export interface LocalReaderOptions {
  sandbox: Sandbox;
  maxPages: number;
  maxPixels: number;
  /** Rows of a spreadsheet that are read, over all sheets; all when absent. */
  maxSheetRows?: number | undefined;
  /** Expected languages as ISO 639 codes; empty for all that use the Latin script. */
  languages: readonly string[];
  pageTimeoutMs: number;
}

export function checkPageCount(pages: number, { largeFrom }: SourceFile, maxPages: number): void {
  if (pages === 0) throw new PermanentError('NO_PAGES', 'The document has no pages');
  if (pages > maxPages) {
    throw new PermanentError(
      'TOO_MANY_PAGES',
      `The document has ${pages} pages; the limit is ${maxPages}`,
    );
  }
  checkLane(pages, largeFrom);
}

/** Time limit factor of the large lane, for pages that need more than the usual limit. */
const LARGE_FACTOR = 5;

export function sandboxLimits(
  { lane }: SourceFile,
  { pageTimeoutMs }: LocalReaderOptions,
  signal: AbortSignal,
): RunOptions {
  return {
    signal,
    lane,
    timeoutMs: lane === 'large' ? LARGE_FACTOR * pageTimeoutMs : pageTimeoutMs,
  };
}
