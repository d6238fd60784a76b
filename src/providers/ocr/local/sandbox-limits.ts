import type { RunOptions } from '../../../sandbox/worker-process.ts';
import type { SourceFile } from '../port.ts';
import type { LocalReaderOptions } from './options.ts';

/** Pages of documents that failed with the usual time get this much more. */
const LARGE_FACTOR = 5;

/** What one job in the sandbox may take. */
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
