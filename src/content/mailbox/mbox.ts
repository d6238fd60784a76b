import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { Budget } from '../unpack/budget.ts';
import { makeEntryFile } from '../unpack/entry-file.ts';
import { messagesOf } from './split-mbox.ts';

/** Writes each message to a file. It then becomes the parent of its own family. */
export async function* unpackMbox({
  path,
  directory,
  limits,
  skip,
}: UnpackInput): AsyncGenerator<UnpackedEntry> {
  const budget = new Budget(limits);
  let position = -1;
  for await (const message of messagesOf(createReadStream(path, { highWaterMark: 2 ** 20 }))) {
    position += 1;
    if (position < skip) continue;
    const place = { position, name: `message-${position + 1}.eml` };
    const write = (file: string) => writeFile(file, budget.meter(message), { flag: 'wx' });
    yield await makeEntryFile(place, directory, write);
  }
}
