import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ExtractEvents, extract, type Header } from 'tar-stream';
import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { knownFileOmission, type Omission, type UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { decodeText } from '../text/decode-text.ts';
import { Budget } from '../unpack/budget.ts';
import { makeEntryFile } from '../unpack/entry-file.ts';
import { unsafeName } from './unsafe-name.ts';

/** Unpacks a tar as it streams by. `packed` is its compressed size, if it is compressed. */
export async function* unpackTar(
  source: Readable,
  { directory, skip, limits }: UnpackInput,
  packed?: number,
): AsyncGenerator<UnpackedEntry> {
  // Options that its types do not have: tars of before 1988 have no mark, and names any encoding.
  const options: object = { allowUnknownFormat: true, filenameEncoding: 'latin1' };
  const tar = extract(options);
  const feeding = pipeline(source, tar);
  feeding.catch(() => undefined);
  const budget = new Budget(limits);
  let position = -1;
  try {
    for await (const entry of tar) {
      position += 1;
      const place = { position, name: nameOf(entry.header) };
      const omission = omissionOf(place.name, entry.header);
      const write = (path: string) =>
        pipeline(metered(entry, budget, packed), createWriteStream(path, { flags: 'wx' }));
      if (position >= skip)
        yield omission ? { ...place, ...omission } : await makeEntryFile(place, directory, write);
      entry.resume();
    }
    await feeding;
  } catch (error) {
    if (isDiskFull(error)) throw error;
    const reason = `The archive is damaged: ${describeError(error)}`;
    throw new PermanentError('INVALID_FILE', reason, { cause: error });
  } finally {
    source.destroy();
  }
}

type Entry = ExtractEvents['entry'][1];

/** An entry that exceeds a limit is read to its end: leaving it would end the archive. */
async function* metered(entry: Entry, budget: Budget, packed?: number): AsyncGenerator<Buffer> {
  let made = 0;
  let excess: unknown;
  for await (const chunk of entry as AsyncIterable<Buffer>) {
    made += chunk.length;
    if (excess) continue;
    try {
      budget.check(made, packed);
      yield chunk;
    } catch (error) {
      excess = error;
    }
  }
  if (excess) throw excess;
  budget.spend(made);
}

/** Names in extended headers are decoded already; others are bytes. */
function nameOf({ name }: Header): string {
  const isBytes = [...name].every((character) => character <= '\xff');
  const decoded = isBytes ? decodeText(Buffer.from(name, 'latin1')) : name;
  return decoded.replace(/^(\.?\/)+/, '') || '.';
}

const noFile = 'A symbolic link or device, not a regular file';
const kinds: Partial<Record<Header['type'], string>> = {
  directory: 'A folder, not a file',
  symlink: noFile,
  'character-device': noFile,
  'block-device': noFile,
  fifo: noFile,
};

function omissionOf(name: string, { type, linkname }: Header): Omission | undefined {
  const known = knownFileOmission(name);
  if (known) return known;
  const reason = type === 'link' ? `A link to ${linkname}, not a file` : kinds[type];
  return reason ? { kind: 'skipped', reason } : unsafeName(name);
}
