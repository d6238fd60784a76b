import { describeError } from '../../../lib/describe-error.ts';
import type { SourceFile } from '../port.ts';

/** Reads part of a file. In salvage mode, a part that fails is skipped instead of the document. */
export async function orSkipPage<T>(
  { salvage }: SourceFile,
  stop: AbortSignal,
  read: (signal: AbortSignal) => Promise<T>,
  onSkip: (reason: string) => T,
): Promise<T> {
  if (!salvage) return read(stop);
  try {
    return await read(AbortSignal.any([stop, salvage]));
  } catch (error) {
    if (stop.aborted) throw error;
    return onSkip(salvage.aborted ? 'the time limit was reached' : describeError(error));
  }
}
