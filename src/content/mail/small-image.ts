import type { Omission } from '../container.ts';
import { loadSharp } from '../image/sharp.ts';
import type { Part } from './part.ts';

/** In pixels. Smaller inline images cannot be a legible page; smaller attachments show nothing. */
const minInlinePixels = 250_000;
const minAttachedPixels = 1_024;

/** Omits logos and tracking pixels. Any image large enough to be a page becomes a document. */
export async function smallImageOmission({
  mediaType,
  bytes,
  shown,
}: Part): Promise<Omission | undefined> {
  if (!mediaType.startsWith('image/')) return undefined;
  const size = await sizeOf(bytes);
  if (!size)
    return shown ? { kind: 'skipped', reason: 'Inline image in an unsupported format' } : undefined;
  const { width, height } = size;
  if (width * height >= (shown ? minInlinePixels : minAttachedPixels)) return undefined;
  const image = shown ? 'Inline image' : 'Image';
  return {
    kind: 'skipped',
    reason: `${image} of ${width} × ${height} pixels, too small to be a page`,
  };
}

async function sizeOf(bytes: Buffer): Promise<{ width: number; height: number } | undefined> {
  const sharp = await loadSharp();
  try {
    return await sharp(bytes).metadata();
  } catch {
    // Not provably small: if it becomes a document, its reader will report the problem.
    return undefined;
  }
}
