import { findFormat } from '../../../content/index.ts';
import type { Lane } from '../../../domain/lane.ts';
import { PermanentError } from '../../../errors.ts';
import type { CpuLimits } from '../../../sandbox/cpu-time.ts';
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
  /** CPU time to open a file or to draw a page, in the large lane; unlimited when absent. */
  pageCpuMs?: number;
}

/**
 * In the small lane, a page has a fifth: ten documents that are made to cost time give way before
 * the next one has waited for long. Recognising a page takes longer than drawing it, but not longer
 * than its pixels allow.
 */
const cpuShares: Record<Lane, { load: number; work: number }> = {
  small: { load: 0.2, work: 3 },
  large: { load: 1, work: 9 },
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
  { pageTimeoutMs, pageCpuMs }: LocalReaderOptions,
  signal: AbortSignal,
): RunOptions {
  // Without pages there is no part that could be left out; such files have a time limit only.
  const isLimited = isPaged(mediaType) || largeFrom !== undefined;
  return {
    signal,
    lane,
    cpu: isLimited && pageCpuMs !== undefined ? cpuLimits(lane, pageCpuMs) : undefined,
    timeoutMs: lane === 'large' ? LARGE_FACTOR * pageTimeoutMs : pageTimeoutMs,
  };
}

function cpuLimits(lane: Lane, pageCpuMs: number): CpuLimits {
  const { load, work } = cpuShares[lane];
  return { loadMs: load * pageCpuMs, workMs: work * pageCpuMs };
}

const isPaged = (mediaType: string): boolean => findFormat(mediaType)?.pages !== undefined;
