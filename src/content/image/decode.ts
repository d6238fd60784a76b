import type { PageInput } from '../format.ts';
import { openImage } from './open-image.ts';
import type { Raster } from './raster.ts';
import { imageProblem } from './sharp.ts';

/** Decodes one page (1-based): rotated by its EXIF orientation, flattened on white, in sRGB. */
export async function decodeImage(input: PageInput): Promise<Raster> {
  try {
    const { image } = await openImage(input);
    const { data, info } = await image
      .autoOrient()
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    return { data: channels === 3 ? data : repeatChannel(data, channels), width, height };
  } catch (error) {
    throw imageProblem(error);
  }
}

function repeatChannel(grey: Uint8Array, channels: number): Uint8Array {
  const data = new Uint8Array((grey.length / channels) * 3);
  for (let from = 0, to = 0; from < grey.length; from += channels, to += 3)
    data.fill(grey[from] ?? 0, to, to + 3);
  return data;
}
