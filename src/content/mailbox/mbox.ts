import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { Budget } from '../unpack/budget.ts';
import { makeEntryFile } from '../unpack/entry-file.ts';
import { messagesOf } from './split-mbox.ts';

/** Writes each message to a file, which is then unpacked as a separate container. */
export async function unpackMbox({
  path,
  directory,
  limits,
}: UnpackInput): Promise<UnpackedEntry[]> {
  const budget = new Budget(limits);
  const entries: UnpackedEntry[] = [];
  for await (const message of messagesOf(createReadStream(path, { highWaterMark: 2 ** 20 }))) {
    const position = entries.length;
    budget.allow(position + 1);
    const place = { position, name: `message-${position + 1}.eml` };
    const write = (file: string) => writeFile(file, budget.meter(message), { flag: 'wx' });
    entries.push(await makeEntryFile(place, directory, write));
  }
  return entries;
}
