import { writeFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { describeError } from '../../lib/describe-error.ts';
import type { UnpackedEntry } from '../container.ts';
import type { Sample, UnpackInput } from '../format.ts';
import { smallImageOmission } from '../mail/small-image.ts';
import { openZipParts, withZipParts, type ZipParts } from '../ooxml/zip-parts.ts';
import { Budget } from '../unpack/budget.ts';
import { makeEntryFile } from '../unpack/entry-file.ts';

/** One image. */
const maxBytes = 2 ** 28;

function listImages(parts: ZipParts): string[] {
  return parts.names().filter((name) => /\.(png|jpe?g|gif|webp|bmp|tiff?)$/i.test(name));
}

/** Whether a book has images, by the names of its parts. */
export async function holdsImages({ file }: Sample): Promise<boolean> {
  try {
    return await withZipParts(await file(), async (parts) => listImages(parts).length > 0);
  } catch {
    // Its reader reports what is wrong with it.
    return false;
  }
}

/** Unpacks the images of a book that are large enough to be a page. */
export async function* unpackEpub(input: UnpackInput): AsyncGenerator<UnpackedEntry> {
  const { directory, limits, skip } = input;
  const parts = await openZipParts(input.path);
  const budget = new Budget(limits);
  try {
    for (const [position, part] of listImages(parts).entries()) {
      if (position < skip) continue;
      const place = { position, name: part };
      try {
        const bytes = await parts.readAll(part, maxBytes);
        const image = { name: posix.basename(part), mediaType: 'image/*', begins: '' };
        const omission = await smallImageOmission({ ...image, bytes, shown: true });
        const write = (path: string) => writeFile(path, budget.meter([bytes]), { flag: 'wx' });
        yield omission ? { ...place, ...omission } : await makeEntryFile(place, directory, write);
      } catch (error) {
        yield { ...place, kind: 'exception', reason: describeError(error) };
      }
    }
  } finally {
    parts.close();
  }
}
