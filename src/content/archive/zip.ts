import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import { knownFileOmission, type Omission, type UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { HostileError } from '../hostile-error.ts';
import { answerSecond } from '../second-engine/answer-second.ts';
import { Budget } from '../unpack/budget.ts';
import { makeEntryFile } from '../unpack/entry-file.ts';
import { inflate } from './inflate.ts';
import { unsafeName } from './unsafe-name.ts';

/**
 * Unpacks an archive and reports the result of each entry. A bad entry is recorded as an exception.
 * If the directory cannot be read, other engines are tried.
 */
export async function* unpackZip(input: UnpackInput): AsyncGenerator<UnpackedEntry> {
  const opened = await open(input.path).catch((error: unknown) => {
    if (error instanceof HostileError) throw error;
    return { failure: error };
  });
  if ('failure' in opened) {
    yield* answerSecond(input, seconds(input), opened.failure);
    return;
  }
  const { zip, entries } = opened;
  const { directory, limits, skip } = input;
  try {
    const budget = new Budget(limits);
    const others = unpackOthers(input, entries);
    for (const [position, entry] of entries.entries()) {
      if (position < skip) continue;
      const { value } = isPlain(entry) ? { value: undefined } : await others.next();
      yield value ?? (await unpackEntry(zip, entry, position, { directory, budget }));
    }
  } finally {
    zip.close();
  }
}

/** 7-Zip fails on archives that are cut off. */
const seconds = (input: UnpackInput) => ({
  '7-zip': async function* () {
    yield* (await import('./unpack-listed.ts')).unpackListed(input, 'zip');
  },
  'zip-entries': async function* () {
    yield* (await import('./zip-entries.ts')).unpackZipEntries(input);
  },
});

async function open(path: string): Promise<{ zip: ZipFile; entries: Entry[] }> {
  const zip = await yauzl
    .openPromise(path, { autoClose: false, decodeStrings: false })
    .catch(throwInvalid);
  try {
    return { zip, entries: await entriesOf(zip) };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Whether Node.js itself can unpack the entry. */
function isPlain(entry: Entry): boolean {
  return !entry.isEncrypted() && entry.canDecodeFileData();
}

/** 7-Zip knows more methods and both ciphers. It is started only if an entry needs it. */
async function* unpackOthers(
  input: UnpackInput,
  entries: readonly Entry[],
): AsyncGenerator<UnpackedEntry, undefined> {
  const { unpackListed } = await import('./unpack-listed.ts');
  const isWanted = (position: number) => {
    const entry = entries[position];
    return entry !== undefined && !isPlain(entry);
  };
  yield* unpackListed(input, 'zip', { names: entries.map(nameOf), isWanted });
  return undefined;
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
    if (start < end) throw new HostileError('The archive has overlapping entries');
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
  return unsafeName(name);
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
