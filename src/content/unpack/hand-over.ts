import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PermanentError } from '../../errors.ts';
import type { HandedEntry, UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { Backlog } from './backlog.ts';

export interface HandedOver {
  /** The number of entries of the container, including those an earlier attempt has taken. */
  seen: number;
  /** False if the parent asked to stop before the end. */
  finished: boolean;
  /** The engine that answered, if it was not the usual one, and why. */
  second?: { engine: string; reason: string };
}

/**
 * Runs in a child: hands entries over to the parent while the container is still being read. For
 * each entry one line is appended to a journal. The child waits while the parent is far behind, so
 * the disk never holds more than a few of the files.
 */
export async function handOver(
  unpack: (input: UnpackInput) => AsyncIterable<UnpackedEntry>,
  input: UnpackInput,
): Promise<HandedOver> {
  const { directory, limits, skip } = input;
  let second: HandedOver['second'];
  const onSecondEngine = (engine: string, reason: string) => {
    second = { engine, reason };
  };
  const entries = unpack({ ...input, onSecondEngine });
  const journal = await open(join(directory, journalName), 'a');
  const backlog = new Backlog(directory);
  let seen = skip;
  try {
    for await (const entry of untilLimit(toTheEnd(entries, skip), limits.entries)) {
      const handed = await describe(entry);
      await journal.appendFile(`${JSON.stringify(handed)}\n`);
      seen = entry.position + 1;
      if ((await backlog.add('bytes' in handed ? handed.bytes : 0)) === 'stop')
        return { seen, finished: false, ...(second && { second }) };
    }
  } finally {
    await journal.close();
  }
  return { seen, finished: true, ...(second && { second }) };
}

export const journalName = 'journal';

async function describe(entry: UnpackedEntry): Promise<HandedEntry> {
  if (!('path' in entry)) return entry;
  const { position, name, path } = entry;
  return { position, name, bytes: (await stat(path)).size };
}

/** What came before the damage is taken; the rest is one exception. */
async function* toTheEnd(
  entries: AsyncIterable<UnpackedEntry>,
  skip: number,
): AsyncGenerator<UnpackedEntry> {
  let position = skip;
  try {
    for await (const entry of entries) {
      yield entry;
      position = entry.position + 1;
    }
  } catch (error) {
    if (!(error instanceof PermanentError) || position === 0) throw error;
    // Another password may open the rest.
    if (error.code === 'PASSWORD_PROTECTED') throw error;
    const reason = `The container cannot be read beyond this point: ${error.message}`;
    yield { position, name: restName, kind: 'exception', reason };
  }
}

/** Entries beyond the limit are one exception, not a row for each of them. */
async function* untilLimit(
  entries: AsyncIterable<UnpackedEntry>,
  most: number,
): AsyncGenerator<UnpackedEntry> {
  for await (const entry of entries) {
    const { position } = entry;
    if (position < most) {
      yield entry;
      continue;
    }
    if ('path' in entry) await rm(entry.path);
    const reason = `The limit of ${most} entries is reached (MILLRACE_MAX_ENTRIES)`;
    yield { position, name: restName, kind: 'exception', reason };
    return;
  }
}

/** Stands for all entries that were not reached. */
export const restName = '(all further entries)';
