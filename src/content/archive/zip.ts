import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import { knownFileOmission, type Omission, type UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { Budget } from '../unpack/budget.ts';
import { makeEntryFile } from '../unpack/entry-file.ts';
import { inflate } from './inflate.ts';

/**
 * Unpacks an archive and reports the result of each entry. A bad entry is recorded as an exception;
 * an archive that cannot be read as a whole throws.
 */
export async function* unpackZip({
  path,
  directory,
  limits,
  skip,
}: UnpackInput): AsyncGenerator<UnpackedEntry> {
  const zip = await yauzl
    .openPromise(path, { autoClose: false, decodeStrings: false })
    .catch(throwInvalid);
  try {
    const budget = new Budget(limits);
    for (const [position, entry] of (await entriesOf(zip)).entries())
      if (position >= skip) yield await unpackEntry(zip, entry, position, { directory, budget });
  } finally {
    zip.close();
  }
}

async function entriesOf(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry);
  } catch (error) {
    throwInvalid(error);
  }
  assertNoOverlap(entries);
  return entries;
}

/** Overlapping entries are a known zip bomb technique; no regular archiver produces them. */
function assertNoOverlap(entries: readonly Entry[]): void {
  let end = 0;
  const inOrder = entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  );
  for (const { relativeOffsetOfLocalHeader: start, fileNameLength, compressedSize } of inOrder) {
    if (start < end)
      throw new PermanentError('INVALID_FILE', 'The archive has overlapping entries');
    end = start + localHeaderBytes + fileNameLength + compressedSize;
  }
}
const localHeaderBytes = 30;

async function unpackEntry(
  zip: ZipFile,
  entry: Entry,
  position: number,
  { directory, budget }: { directory: string; budget: Budget },
): Promise<UnpackedEntry> {
  const name = nameOf(entry);
  const omission = omissionOf(entry, name);
  if (omission) return { position, name, ...omission };
  return makeEntryFile({ position, name }, directory, (path) => inflate(zip, entry, path, budget));
}

/** The reason to omit an entry without decompressing it, from the central directory alone. */
function omissionOf(entry: Entry, name: string): Omission | undefined {
  const known = knownFileOmission(name);
  if (known) return known;
  if (name.endsWith('/')) return { kind: 'skipped', reason: 'A folder, not a file' };
  if (!isRegular(entry))
    return { kind: 'skipped', reason: 'A symbolic link or device, not a regular file' };
  const problem =
    yauzl.validateFileName(name) ??
    (name.includes('\0') ? 'it contains a NUL character' : undefined);
  if (problem) return { kind: 'exception', reason: `Unsafe file name: ${problem}` };
  if (entry.isEncrypted()) return { kind: 'exception', reason: 'The entry is encrypted' };
  if (!entry.canDecodeFileData())
    return {
      kind: 'exception',
      reason: `Unsupported compression method: ${entry.compressionMethod}`,
    };
  return undefined;
}

/** Unix archivers store the file mode in the upper 16 bits; others leave them at zero. */
function isRegular({ externalFileAttributes }: Entry): boolean {
  const type = (externalFileAttributes >>> 16) & 0o170000;
  return type === 0 || type === 0o100000;
}

function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

function throwInvalid(error: unknown): never {
  throw new PermanentError('INVALID_FILE', `The archive cannot be read: ${describeError(error)}`, {
    cause: error,
  });
}
