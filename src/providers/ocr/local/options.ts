import { PermanentError } from '../../../errors.ts';
import { SECOND } from '../../../lib/time.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { RunOptions } from '../../../sandbox/worker-process.ts';
import { checkLane, type SourceFile } from '../port.ts';

export interface LocalReaderOptions {
  sandbox: Sandbox;
  maxPages: number;
  maxPixels: number;
  /** Expected languages as ISO 639 codes; empty for all that use the Latin script. */
  languages: readonly string[];
  pageTimeoutMs: number;
  /** CPU time that a page may use. */
  cpu?: CpuBudget;
}

interface CpuBudget {
  /** To open the file, or to take the text of its pages from it. */
  textMs: number;
  /** To draw and recognise a page. */
  ocrMs: number;
}

/** Ten times what a crowded page needs on a slow machine. */
export const cpuBudget: CpuBudget = { textMs: 10 * SECOND, ocrMs: 90 * SECOND };

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
  { pageTimeoutMs, cpu = cpuBudget }: LocalReaderOptions,
  signal: AbortSignal,
  work: keyof CpuBudget,
): RunOptions {
  return {
    signal,
    lane,
    cpuMs: cpu[work],
    timeoutMs: lane === 'large' ? LARGE_FACTOR * pageTimeoutMs : pageTimeoutMs,
  };
}
