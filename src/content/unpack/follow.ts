import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type HandedEntry, handedEntry } from '../container.ts';
import { journalName } from './hand-over.ts';

const chunkBytes = 2 ** 20;
const pollMs = 25;

/**
 * Yields the entries that a child hands over, in groups, until its work has ended and everything
 * before that is taken. An error of the child is thrown last. The child works on untrusted bytes,
 * so each line is validated; files are found by position, never by a path that the child gives.
 */
export async function* followJournal(
  directory: string,
  work: Promise<unknown>,
  { from, atOnce }: { from: number; atOnce: number },
): AsyncGenerator<HandedEntry[]> {
  let ended = false;
  const end = work.then(noop, noop).then(() => {
    ended = true;
  });
  const journal = await open(join(directory, journalName), 'a+');
  try {
    const read = linesOf(journal);
    for (let position = from; ; ) {
      // Before reading: all that was written until then is read.
      const isLast = ended;
      const { lines, isMore } = await read();
      const entries = lines.map((line) => parseLine(line, position++));
      for (let at = 0; at < entries.length; at += atOnce) yield entries.slice(at, at + atOnce);
      if (isMore) continue;
      if (isLast) break;
      await Promise.race([end, delay(pollMs)]);
    }
  } finally {
    await journal.close();
  }
  await work;
}

const noop = () => undefined;

function parseLine(line: string, expected: number): HandedEntry {
  const entry = handedEntry.parse(JSON.parse(line));
  if (entry.position !== expected)
    throw new Error(`The child reported entry ${entry.position} where ${expected} is expected`);
  return entry;
}

/** Returns a function that reads the lines that are complete by now. */
function linesOf(file: FileHandle): () => Promise<{ lines: string[]; isMore: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  return async () => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, offset);
    offset += bytesRead;
    const all = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const end = all.lastIndexOf('\n') + 1;
    rest = all.subarray(end);
    const lines = end === 0 ? [] : all.toString('utf8', 0, end - 1).split('\n');
    return { lines, isMore: bytesRead > 0 };
  };
}
