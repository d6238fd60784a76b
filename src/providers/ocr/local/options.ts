import { findFormat } from '../../../content/index.ts';
import type { Lane } from '../../../domain/lane.ts';
import { PermanentError } from '../../../errors.ts';
import { SECOND } from '../../../lib/time.ts';
import type { CpuLimits } from '../../../sandbox/cpu-time.ts';
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
  cpu?: CpuBudget;
}

/** CPU time to open a file, to take the text of its pages, or to draw and recognise a page. */
type CpuBudget = Record<Lane, CpuLimits>;

/**
 * Many times what an ordinary page needs. In the small lane it is short: ten documents that are
 * made to cost time use it up before the next one has waited for long.
 */
export const cpuBudget: CpuBudget = {
  small: { loadMs: 2 * SECOND, workMs: 30 * SECOND },
  large: { loadMs: 10 * SECOND, workMs: 90 * SECOND },
};

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
  { lane = 'small', mediaType, largeFrom }: SourceFile,
  { pageTimeoutMs, cpu = cpuBudget }: LocalReaderOptions,
  signal: AbortSignal,
): RunOptions {
  return {
    signal,
    lane,
    // Without pages there is no part that could be left out; such files have a time limit only.
    cpu: isPaged(mediaType) || largeFrom !== undefined ? cpu[lane] : undefined,
    timeoutMs: lane === 'large' ? LARGE_FACTOR * pageTimeoutMs : pageTimeoutMs,
  };
}

const isPaged = (mediaType: string): boolean => findFormat(mediaType)?.pages !== undefined;
