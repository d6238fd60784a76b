import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { HandedEntry, UnpackedEntry, UnpackLimits } from '../../src/content/container.ts';
import type { UnpackInput } from '../../src/content/format.ts';
import { requireCapability } from '../../src/content/index.ts';
import { reportProgress } from '../../src/content/unpack/backlog.ts';
import { followJournal } from '../../src/content/unpack/follow.ts';
import { handOver } from '../../src/content/unpack/hand-over.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** Encrypted entries are left out, as in the last attempt of a stage. */
const usual = { entries: 100, bytes: 2 ** 24, ratio: 100 };

/** Unpacks bytes and returns the entries and the list of files. */
export async function unpack(
  mediaType: string,
  container: string | Buffer,
  limits: Partial<UnpackLimits> = {},
  more: Partial<UnpackInput> = {},
): Promise<{ entries: UnpackedEntry[]; files: string[] }> {
  const { base, input } = await prepare(mediaType, container, { ...usual, ...limits });
  const entries: UnpackedEntry[] = [];
  for await (const entry of requireCapability(mediaType, 'unpack')({ ...input, ...more }))
    entries.push(entry);
  const files = readdirSync(base, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name !== 'entries',
  );
  return { entries, files: files.toSorted() };
}

/** Unpacks bytes the way a stage does, and returns what the child hands over. */
export async function unpackToParent(
  mediaType: string,
  container: string | Buffer,
  limits: Partial<UnpackLimits> = {},
  more: Partial<UnpackInput> = {},
): Promise<HandedEntry[]> {
  const prepared = await prepare(mediaType, container, { ...usual, ...limits });
  const input = { ...prepared.input, ...more };
  const { directory, skip: from } = input;
  await reportProgress(directory, { taken: 0, stop: false });
  const work = handOver(requireCapability(mediaType, 'unpack'), input);
  const entries: HandedEntry[] = [];
  for await (const group of followJournal(directory, work, { from, atOnce: 10 })) {
    entries.push(...group);
    await reportProgress(directory, { taken: entries.length, stop: false });
  }
  return entries;
}

async function prepare(mediaType: string, container: string | Buffer, limits: UnpackLimits) {
  const base = await temporaryDirectory();
  const directory = join(base, 'entries');
  await mkdir(directory);
  const path = join(base, 'container');
  writeFileSync(path, container);
  const input = { mediaType, path, directory, limits, skip: 0, skipEncrypted: true };
  return { base, input: input satisfies UnpackInput };
}

/** The content of an entry, or why it has none. */
export function told(entry: UnpackedEntry): [name: string, content: string] {
  return [
    entry.name,
    'path' in entry ? readFileSync(entry.path, 'utf8') : `${entry.kind}: ${entry.reason}`,
  ];
}
