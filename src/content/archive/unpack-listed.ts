import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import { knownFileOmission, type Omission, type UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { Budget } from '../unpack/budget.ts';
import { type Extraction, extractArchive, type Listed, listArchive } from './seven-zip/index.ts';
import { unsafeName } from './unsafe-name.ts';

export interface ListedOptions {
  /** Names that another program decoded, in the same order. */
  names?: readonly string[];
  /** Entries that another program unpacks are not yielded. */
  isWanted?(position: number): boolean;
}

type File = Extract<Extraction, { file: string }>;

/**
 * Unpacks an archive with 7-Zip. It extracts in the order of its list, so the list gives the
 * positions, and what was not extracted is in it, too. Positions are the same with and without a
 * password.
 */
export async function* unpackListed(
  input: UnpackInput,
  type: string,
  { names, isWanted = () => true }: ListedOptions = {},
): AsyncGenerator<UnpackedEntry> {
  const { path, password, directory, limits, skip } = input;
  const file = { path, type, password };
  const entries = named(await listArchive(file, limits.entries), names);
  assertSomeOpen(entries, input);
  const errors = new Map<string, string>();
  const budget = new Budget(limits);
  const find = positionFinder(entries);
  let next = 0;
  const leaveOutTo = function* (end: number): Generator<UnpackedEntry> {
    for (; next < end; next += 1) {
      const entry = entries[next];
      if (!entry || next < skip || !isWanted(next)) continue;
      const reason = errors.get(entry.path) ?? 'it was not extracted';
      const omission = omissionOf(entry) ?? failure(entry, reason, input);
      yield { position: next, name: entry.name, ...omission };
    }
  };
  const bytes = input.packedBytes ?? (await stat(path)).size;
  for await (const made of extractArchive(file, { directory, limits, bytes })) {
    if (!('file' in made)) {
      errors.set(made.path, made.error);
      continue;
    }
    const position = find(made.path, next);
    const entry = entries[position];
    if (!entry) break;
    yield* leaveOutTo(position);
    next = position + 1;
    if (position < skip || !isWanted(position)) await rm(made.file);
    else yield await take(entry, position, made, { input, budget });
  }
  yield* leaveOutTo(entries.length);
}

interface Entry extends Listed {
  name: string;
}

function named(entries: readonly Listed[], names: readonly string[] = []): Entry[] {
  return entries.map((entry, position) => ({ ...entry, name: names[position] ?? entry.path }));
}

/** The entry that a file belongs to: the next one with this path, else the next one at all. */
function positionFinder(entries: readonly Listed[]): (path: string, from: number) => number {
  const byPath = new Map<string, number[]>();
  for (const [position, { path }] of entries.entries()) {
    const same = byPath.get(plain(path)) ?? [];
    same.push(position);
    byPath.set(plain(path), same);
  }
  return (path, from) => {
    const known = byPath.get(plain(path))?.find((position) => position >= from);
    if (known !== undefined) return known;
    const rest = entries.findIndex((entry, position) => position >= from && !entry.isFolder);
    return rest === -1 ? entries.length : rest;
  };
}

const plain = (path: string): string => path.replaceAll('\\', '/').replace(/^(\.?\/)+/, '');

async function take(
  entry: Entry,
  position: number,
  { file, bytes, error }: File,
  { input, budget }: { input: UnpackInput; budget: Budget },
): Promise<UnpackedEntry> {
  const place = { position, name: entry.name };
  const omission =
    omissionOf(entry) ??
    (isWhole(entry, bytes) && !error ? undefined : failure(entry, error ?? cutOff, input)) ??
    overBudget(budget, bytes);
  if (omission) {
    await rm(file);
    return { ...place, ...omission };
  }
  const path = join(input.directory, String(position));
  await rename(file, path);
  return { ...place, path };
}

/** 7-Zip leaves a file that it could not finish without an error of its own. */
const isWhole = ({ size }: Listed, bytes: number): boolean => size === undefined || size === bytes;
const cutOff = 'it is not complete';

function overBudget(budget: Budget, bytes: number): Omission | undefined {
  try {
    budget.check(bytes);
    budget.spend(bytes);
    return undefined;
  } catch (error) {
    return { kind: 'exception', reason: describeError(error) };
  }
}

function omissionOf({ name, isFolder, link }: Entry): Omission | undefined {
  const known = knownFileOmission(name);
  if (known) return known;
  if (isFolder) return { kind: 'skipped', reason: 'A folder, not a file' };
  if (link !== undefined) return { kind: 'skipped', reason: `A link to ${link}, not a file` };
  return unsafeName(name.replace(/^(\.?\/)+/, ''));
}

function failure({ isEncrypted }: Listed, error: string, { skipEncrypted }: UnpackInput): Omission {
  if (!isEncrypted && !/password/i.test(error))
    return { kind: 'exception', reason: `The entry cannot be unpacked: ${error}` };
  if (!skipEncrypted) throw locked();
  return { kind: 'exception', reason: 'The entry is encrypted' };
}

/** Without a password, an archive of which nothing can be read fails as a whole. */
function assertSomeOpen(entries: readonly Entry[], { password }: UnpackInput) {
  const files = entries.filter((entry) => omissionOf(entry) === undefined);
  const isLocked = files.length > 0 && files.every(({ isEncrypted }) => isEncrypted);
  if (isLocked && password === undefined) throw locked();
}

const locked = () => new PermanentError('PASSWORD_PROTECTED', 'The archive is encrypted');
