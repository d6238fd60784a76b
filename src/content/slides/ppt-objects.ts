import { inflateSync } from 'node:zlib';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { type DocumentObject, unpackObjects } from '../office/unpack-objects.ts';
import { openCompoundFile } from '../ole/compound-file.ts';
import { childrenOf } from './records.ts';

const objectStorage = 0x1011;
const compressed = 1;
const maxBytes = 2 ** 28;

/** Unpacks the objects of a PowerPoint 97 to 2003 presentation. */
export async function* unpackPpt(input: UnpackInput): AsyncGenerator<UnpackedEntry> {
  const file = await openCompoundFile(input.path);
  yield* unpackObjects(listObjects(file.stream('PowerPoint Document') ?? Buffer.alloc(0)), input);
}

function listObjects(stream: Buffer): DocumentObject[] {
  return [...childrenOf(stream, { at: 0, end: stream.length })]
    .filter(({ type }) => type === objectStorage)
    .map(({ instance, at, end }, i) => ({
      name: `object-${i + 1}.bin`,
      // Compressed storages start with their size.
      read: () =>
        instance === compressed
          ? inflateSync(stream.subarray(at + 4, end), { maxOutputLength: maxBytes })
          : stream.subarray(at, end),
    }));
}
