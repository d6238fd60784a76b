import type heif from 'libheif-js/wasm-bundle.js';
import { PermanentError } from '../../errors.ts';

type HeifImage = ReturnType<InstanceType<typeof heif.HeifDecoder>['decode']>[number];

export interface HeifPage {
  /** RGBA. */
  data: Buffer;
  width: number;
  height: number;
  pages: number;
}

/** Decodes one of the images of a HEIF file, rotated as the file says. Undefined if it cannot. */
export async function decodeHeif(
  bytes: Buffer,
  page: number,
  maxPixels: number,
): Promise<HeifPage | undefined> {
  const { default: engine } = await import('libheif-js/wasm-bundle.js');
  const images = new engine.HeifDecoder().decode(bytes);
  try {
    const image = images[page - 1];
    const drawn = image && (await draw(image, maxPixels));
    return drawn && { ...drawn, pages: images.length };
  } finally {
    for (const image of images) image.free();
  }
}

async function draw(
  image: HeifImage,
  maxPixels: number,
): Promise<Omit<HeifPage, 'pages'> | undefined> {
  const [width, height] = [image.get_width(), image.get_height()];
  if (width * height > maxPixels)
    throw new PermanentError(
      'IMAGE_TOO_LARGE',
      `The image has ${width} × ${height} pixels; the limit is ${maxPixels}`,
    );
  const target = { data: new Uint8ClampedArray(width * height * 4), width, height };
  const drawn = await new Promise<{ data: Uint8ClampedArray } | null>((resolve) =>
    image.display(target, resolve),
  );
  return drawn ? { data: Buffer.from(drawn.data.buffer), width, height } : undefined;
}
