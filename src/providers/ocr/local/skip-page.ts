import { describeError } from '../../../lib/describe-error.ts';
import type { SourceFile } from '../port.ts';

/** Reads a part of a file. Where salvage is asked for, a part that cannot be read costs that part and not the document. */
export async function orSkipPage<T>(
  { salvage }: SourceFile,
  stop: AbortSignal,
  read: (signal: AbortSignal) => Promise<T>,
  lost: (reason: string) => T,
): Promise<T> {
  if (!salvage) return read(stop);
  try {
    return await read(AbortSignal.any([stop, salvage]));
  } catch (error) {
    if (stop.aborted) throw error;
    return lost(salvage.aborted ? 'there was no time left' : describeError(error));
  }
}
