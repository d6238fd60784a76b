import { readFile, stat } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { PermanentError } from '../../errors.ts';
import type { ContentFile } from '../format.ts';
import { loadSharp } from './sharp.ts';

export interface OpenedImage {
  image: Sharp;
  /** Only pages of documents count; animation frames do not. */
  pages: number;
}

interface Choice extends ContentFile {
  /** 1-based. */
  page: number;
  maxPixels: number;
}

/** These are read into memory. */
const maxBytes = 2 ** 28;

/** Opens an image with the engine that its type needs, at one of its pages. */
export async function openImage(choice: Choice): Promise<OpenedImage> {
  const open = openers[choice.mediaType] ?? openWithSharp;
  return open(choice);
}

const openers: Readonly<Record<string, (choice: Choice) => Promise<OpenedImage>>> = {
  'image/bmp': openBmp,
  'image/heic': openHeif,
  'image/heif': openHeif,
  'image/svg+xml': openSvg,
  'image/jp2': openJpeg2000,
  'image/jpx': openJpeg2000,
  'image/j2c': openJpeg2000,
};

async function openWithSharp({ path, page, maxPixels }: Choice): Promise<OpenedImage> {
  const sharp = await loadSharp();
  const image = sharp(path, { page: page - 1, limitInputPixels: maxPixels });
  const { format, pages = 1 } = await image.metadata();
  return { image, pages: format === 'tiff' ? pages : 1 };
}

async function openBmp({ path, maxPixels }: Choice): Promise<OpenedImage> {
  const { decodeBmp } = await import('./bmp/decode.ts');
  const decoded = decodeBmp(await readWhole(path), maxPixels);
  const sharp = await loadSharp();
  if (Buffer.isBuffer(decoded)) return { image: sharp(decoded), pages: 1 };
  const { data, ...raw } = decoded;
  return { image: sharp(data, { raw, limitInputPixels: maxPixels }), pages: 1 };
}

/** libvips reads HEIF with AV1 only; photos of phones have HEVC, which needs another engine. */
async function openHeif(choice: Choice): Promise<OpenedImage> {
  const { decodeHeif } = await import('./heif.ts');
  const { page, maxPixels } = choice;
  const decoded = await decodeHeif(await readWhole(choice.path), page, maxPixels);
  if (!decoded) return openWithSharp(choice);
  const { data, width, height, pages } = decoded;
  const sharp = await loadSharp();
  const raw = { width, height, channels: 4 } as const;
  return { image: sharp(data, { raw, limitInputPixels: maxPixels }), pages };
}

async function openJpeg2000({ path, maxPixels }: Choice): Promise<OpenedImage> {
  const { decodeJpeg2000 } = await import('./jpeg2000.ts');
  const { data, ...raw } = await decodeJpeg2000(await readWhole(path), maxPixels);
  const sharp = await loadSharp();
  return { image: sharp(data, { raw, limitInputPixels: maxPixels }), pages: 1 };
}

/** The width that a drawing is rendered at: a page of 200 dpi. */
const drawingWidth = 1654;

/** From memory: a drawing without a location cannot refer to other files. */
async function openSvg({ path, maxPixels }: Choice): Promise<OpenedImage> {
  const sharp = await loadSharp();
  const bytes = await readWhole(path);
  const { width } = await sharp(bytes, { limitInputPixels: maxPixels }).metadata();
  const density = Math.min(Math.max((72 * drawingWidth) / Math.max(width, 1), 72), 600);
  return { image: sharp(bytes, { density, limitInputPixels: maxPixels }), pages: 1 };
}

async function readWhole(path: string): Promise<Buffer> {
  const { size } = await stat(path);
  if (size > maxBytes)
    throw new PermanentError('IMAGE_TOO_LARGE', `The image is larger than ${maxBytes} bytes`);
  return readFile(path);
}
