import type { Omission } from '../container.ts';
import { loadSharp } from '../image/sharp.ts';
import type { Part } from './part.ts';

/** In pixels. A page with fewer cannot be read, a mark of fewer shows nothing. */
const pageFrom = 250_000;
const markFrom = 1_024;

/** Leaves out logos and marks that come with the text. An image that could be a page is a document, wherever it stands. */
export async function smallImageOmission({
  mediaType,
  bytes,
  shown,
}: Part): Promise<Omission | undefined> {
  if (!mediaType.startsWith('image/')) return undefined;
  const size = await sizeOf(bytes);
  if (!size)
    return shown
      ? { kind: 'skipped', reason: 'Inline: an image of a kind that is not read' }
      : undefined;
  const { width, height } = size;
  if (width * height >= (shown ? pageFrom : markFrom)) return undefined;
  const image = shown ? 'Inline: an image' : 'An image';
  return {
    kind: 'skipped',
    reason: `${image} of ${width} × ${height} pixels, too small for a page`,
  };
}

async function sizeOf(bytes: Buffer): Promise<{ width: number; height: number } | undefined> {
  const sharp = await loadSharp();
  try {
    return await sharp(bytes).metadata();
  } catch {
    // What cannot be measured is not small: if it becomes a document, its reader says what is wrong with it.
    return undefined;
  }
}
