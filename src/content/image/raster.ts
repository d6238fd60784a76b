import { loadSharp } from './sharp.ts';

/** Interleaved RGB pixels in row order. */
export interface Raster {
  data: Uint8Array;
  width: number;
  height: number;
}

export type Grey = Raster;

const RED = 54;
const GREEN = 183;
const BLUE = 19;

export function toGrey({ data, width, height }: Raster): Grey {
  const grey = new Uint8Array(width * height);
  for (let i = 0, j = 0; i < grey.length; i += 1, j += 3) {
    grey[i] = ((data[j] ?? 0) * RED + (data[j + 1] ?? 0) * GREEN + (data[j + 2] ?? 0) * BLUE) >> 8;
  }
  return { data: grey, width, height };
}

export async function resize(page: Raster, width: number, height: number): Promise<Raster> {
  if (width === page.width && height === page.height) return page;
  const sharp = await loadSharp();
  const raw = { width: page.width, height: page.height, channels: 3 } as const;
  const data = await sharp(page.data, { raw })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer();
  return { data, width, height };
}

/** Rotates clockwise by quarter turns. */
export function turn({ data, width, height }: Raster, quarters: 1 | 2): Raster {
  const turned = new Uint8Array(data.length);
  for (let y = 0, from = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, from += 3) {
      const pixel =
        quarters === 1 ? x * height + (height - 1 - y) : (height - 1 - y) * width + (width - 1 - x);
      turned[pixel * 3] = data[from] ?? 0;
      turned[pixel * 3 + 1] = data[from + 1] ?? 0;
      turned[pixel * 3 + 2] = data[from + 2] ?? 0;
    }
  }
  return quarters === 1
    ? { data: turned, width: height, height: width }
    : { data: turned, width, height };
}
