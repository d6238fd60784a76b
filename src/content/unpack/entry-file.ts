import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError } from '../../lib/describe-error.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import type { EntryPlace, UnpackedEntry } from '../container.ts';

/** Writes the file of an entry. A failure is recorded as an exception and leaves no file behind. */
export async function makeEntryFile(
  place: EntryPlace,
  directory: string,
  write: (path: string) => Promise<void>,
): Promise<UnpackedEntry> {
  const path = join(directory, String(place.position));
  try {
    await write(path);
    return { ...place, path };
  } catch (error) {
    await rm(path, { force: true });
    if (isDiskFull(error)) throw error;
    return { ...place, kind: 'exception', reason: describeError(error) };
  }
}
