import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import { knownFileOmission, type Omission, type UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { Budget } from '../unpack/budget.ts';
import { makeEntryFile } from '../unpack/entry-file.ts';
import { inflate } from './inflate.ts';

/** Unpacks an archive, and says of each entry what became of it. One bad entry is an exception, a bad archive an error. */
export async function unpackZip({
  path,
  directory,
  limits,
}: UnpackInput): Promise<UnpackedEntry[]> {
  const zip = await yauzl
    .openPromise(path, { autoClose: false, decodeStrings: false })
    .catch(damaged);
  try {
    const budget = new Budget(limits);
    budget.allow(zip.entryCount);
    const entries = await entriesOf(zip);
    const unpacked: UnpackedEntry[] = [];
    for (const [position, entry] of entries.entries())
      unpacked.push(await unpackEntry(zip, entry, position, { directory, budget }));
    return unpacked;
  } finally {
    zip.close();
  }
}

async function entriesOf(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry);
  } catch (error) {
    damaged(error);
  }
  assertApart(entries);
  return entries;
}

/** Entries that share bytes make much of little, and are made by nobody who means well. */
function assertApart(entries: readonly Entry[]): void {
  let end = 0;
  const inOrder = entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  );
  for (const { relativeOffsetOfLocalHeader: start, fileNameLength, compressedSize } of inOrder) {
    if (start < end) throw new PermanentError('INVALID_FILE', 'Entries of the archive overlap');
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

/** Why an entry is not even looked at. */
function omissionOf(entry: Entry, name: string): Omission | undefined {
  const known = knownFileOmission(name);
  if (known) return known;
  if (name.endsWith('/')) return { kind: 'skipped', reason: 'A folder' };
  if (!isRegular(entry)) return { kind: 'skipped', reason: 'A link or device, not a file' };
  const wrong =
    yauzl.validateFileName(name) ?? (name.includes('\0') ? 'NUL in its name' : undefined);
  if (wrong) return { kind: 'exception', reason: `Its name leads elsewhere: ${wrong}` };
  if (entry.isEncrypted()) return { kind: 'exception', reason: 'It is encrypted' };
  if (!entry.canDecodeFileData())
    return {
      kind: 'exception',
      reason: `It is packed by a method that is not known: ${entry.compressionMethod}`,
    };
  return undefined;
}

/** By the attributes that Unix leaves in the upper half; archives made elsewhere have none there. */
function isRegular({ externalFileAttributes }: Entry): boolean {
  const type = (externalFileAttributes >>> 16) & 0o170000;
  return type === 0 || type === 0o100000;
}

function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

function damaged(error: unknown): never {
  throw new PermanentError('INVALID_FILE', `The archive cannot be read: ${describeError(error)}`, {
    cause: error,
  });
}
