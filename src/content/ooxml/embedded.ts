import { posix } from 'node:path';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { unpackObjects } from '../office/unpack-objects.ts';
import { listEmbedded } from './list-embedded.ts';
import { openZipParts } from './zip-parts.ts';

/** One embedded file. */
const maxBytes = 2 ** 28;

/** Unpacks the files that are embedded in a package. */
export async function* unpackOoxml(input: UnpackInput): AsyncGenerator<UnpackedEntry> {
  const zip = await openZipParts(input.path);
  try {
    const objects = listEmbedded(zip).map((part) => ({
      name: posix.basename(part),
      read: () => zip.readAll(part, maxBytes),
    }));
    yield* unpackObjects(objects, input);
  } finally {
    zip.close();
  }
}
