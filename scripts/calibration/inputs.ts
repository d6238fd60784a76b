import sharp, { type Sharp } from 'sharp';
import type { Raster } from '../../src/content/image/raster.ts';
import { requireCapability } from '../../src/content/index.ts';
import { cropTensor, LINE_HEIGHT, toCrop } from '../../src/recognition/crop.ts';
import { detectLines, detectorInput } from '../../src/recognition/detect.ts';
import { narrow } from '../../src/recognition/narrow.ts';

export interface ModelInput {
  data: Float32Array;
  shape: readonly number[];
}

const pages = [
  { file: 'scan.pdf', mediaType: 'application/pdf', page: 1 },
  { file: 'invoice.pdf', mediaType: 'application/pdf', page: 1 },
  { file: 'einvoice.pdf', mediaType: 'application/pdf', page: 1 },
  { file: 'receipt.jpg', mediaType: 'image/jpeg', page: 1 },
  { file: 'poor-scan.png', mediaType: 'image/png', page: 1 },
  { file: 'pages.tiff', mediaType: 'image/tiff', page: 1 },
  { file: 'pages.tiff', mediaType: 'image/tiff', page: 3 },
];

/** Each page unchanged, and as worse scanners would have produced it. */
const copies = [
  (page: Raster) => Promise.resolve(page),
  (page: Raster) => worse(page, (image) => image.blur(1.2).linear(0.6, 40).png()),
  (page: Raster) => worse(page, (image) => image.jpeg({ quality: 25 })),
];

/** One line in this many is used per page and copy. */
const LINE_STEP = 4;
const WIDTH_STEP = 8;
const MAX_PIXELS = 100_000_000;

/** Pages of the samples, as input of the detector. */
export async function* samplePages(): AsyncGenerator<ModelInput> {
  for await (const { page } of samples()) yield await detectorInput(page);
}

/** Lines of the samples, as input of the recogniser. */
export async function* sampleLines(): AsyncGenerator<ModelInput> {
  for await (const { original, page, copy } of samples()) {
    const crops = (await detectLines(original)).map(toCrop);
    for (const crop of crops
      .filter((_, at) => at % LINE_STEP === copy)
      .map((line) => narrow(page, line))) {
      const width = Math.ceil(crop.width / WIDTH_STEP) * WIDTH_STEP;
      yield { data: cropTensor(page, [crop], width), shape: [1, 3, LINE_HEIGHT, width] };
    }
  }
}

async function* samples(): AsyncGenerator<{ original: Raster; page: Raster; copy: number }> {
  for (const { file, ...source } of pages) {
    const path = new URL(`../../samples/${file}`, import.meta.url).pathname;
    const { raster: original } = await requireCapability(
      source.mediaType,
      'pages',
    )({ path, ...source, maxPixels: MAX_PIXELS });
    for (const [copy, make] of copies.entries())
      yield { original, page: await make(original), copy };
  }
}

async function worse(
  { data, width, height }: Raster,
  change: (image: Sharp) => Sharp,
): Promise<Raster> {
  const changed = await change(sharp(data, { raw: { width, height, channels: 3 } })).toBuffer();
  return { data: await sharp(changed).removeAlpha().raw().toBuffer(), width, height };
}
