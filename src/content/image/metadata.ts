import { open } from 'node:fs/promises';
import { type Metadata, toMetadata } from '../../domain/metadata.ts';
import type { ContentFile } from '../format.ts';
import { readExif } from './exif.ts';
import { openImage } from './open-image.ts';

/** Metadata precedes the pixels, except in TIFF files. */
const startBytes = 2 ** 22;
/** A header is read, not the pixels. */
const maxPixels = 2 ** 29;

/** What the camera wrote, and the size in pixels. */
export async function readImageMetadata(file: ContentFile): Promise<Metadata> {
  const { image, pages } = await openImage({ ...file, page: 1, maxPixels });
  const { width, height, exif } = await image.metadata();
  const written = exif ?? (await findExif(file));
  return toMetadata({ ...(written && readExif(written)), width, height, pages });
}

/** Engines that return pixels only drop what else is in the file. */
async function findExif({ path, mediaType }: ContentFile): Promise<Buffer | undefined> {
  const start = await readStart(path);
  if (mediaType === 'image/tiff') return start;
  const at = start.indexOf('Exif\0\0');
  return at < 0 ? undefined : start.subarray(at);
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(startBytes), 0, startBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
