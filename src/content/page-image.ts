import type { Rotation } from '../domain/transcription.ts';
import type { ContentFile } from './format.ts';
import { type Raster, turn } from './image/raster.ts';
import { loadSharp } from './image/sharp.ts';
import { requireCapability } from './index.ts';

export const imageFormats = ['webp', 'png'] as const;
export type ImageFormat = (typeof imageFormats)[number];

export interface PageImageInput extends ContentFile {
  /** 1-based. */
  page: number;
  maxPixels: number;
  /** How the page was turned to be read: its words lie on the turned page. */
  rotation?: Rotation | undefined;
  /** In pixels. A page with fewer is not enlarged. */
  width: number;
  format: ImageFormat;
  /** The file to write. */
  output: string;
}

/** WebP allows no more on either side. */
const longestSide = 16_383;

/** Writes a page as people see it. Only this page of the document is drawn. */
export async function writePageImage({
  rotation,
  width,
  format,
  output,
  ...source
}: PageImageInput): Promise<void> {
  const isSideways = rotation === 90 || rotation === 270;
  const fit = { side: isSideways ? 'height' : 'width', pixels: width } as const;
  const { raster } = await requireCapability(source.mediaType, 'pages')({ ...source, fit });
  const upright = turnBy(raster, rotation);
  const sharp = await loadSharp();
  const raw = { width: upright.width, height: upright.height, channels: 3 } as const;
  const image = sharp(upright.data, { raw }).resize({
    width,
    height: longestSide,
    fit: 'inside',
    withoutEnlargement: true,
  });
  await encoders[format](image).toFile(output);
}

type Image = ReturnType<Awaited<ReturnType<typeof loadSharp>>>;

const encoders: Record<ImageFormat, (image: Image) => Image> = {
  webp: (image) => image.webp({ quality: 85, effort: 2 }),
  png: (image) => image.png({ compressionLevel: 6 }),
};

function turnBy(page: Raster, rotation: Rotation | undefined): Raster {
  if (rotation === undefined) return page;
  if (rotation === 180) return turn(page, 2);
  const quarter = turn(page, 1);
  return rotation === 90 ? quarter : turn(quarter, 2);
}
