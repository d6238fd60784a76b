import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { corpora } from '../../../test/kit/corpora.ts';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { requireCapability } from '../index.ts';
import { sniff } from '../sniff.ts';
import { decodeBmp } from './bmp/decode.ts';
import { readExif } from './exif.ts';

const limits = { maxPages: 9, maxPixels: 1e8 };

async function load(bytes: Buffer) {
  const path = join(await temporaryDirectory(), 'image');
  writeFileSync(path, bytes);
  const mediaType = await sniff(Readable.from([bytes]), async () => path);
  const input = { path, mediaType, ...limits };
  const { pages } = await requireCapability(mediaType, 'inspect')(input);
  const { raster } = await requireCapability(mediaType, 'pages')({ ...input, page: 1 });
  const metadata = await requireCapability(mediaType, 'metadata')(input);
  return { mediaType, pages, raster, metadata };
}

/** A bitmap with the given header values and pixel data. */
function bmpOf(
  { width, height, bits, compression = 0 }: Record<string, number>,
  palette: number[],
  pixels: number[],
): Buffer {
  const header = Buffer.alloc(54);
  header.write('BM');
  header.writeUInt32LE(54 + palette.length, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width ?? 0, 18);
  header.writeInt32LE(height ?? 0, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(bits ?? 0, 28);
  header.writeUInt32LE(compression, 30);
  return Buffer.concat([header, Buffer.from(palette), Buffer.from(pixels)]);
}

const blackAndRed = [0, 0, 0, 0, 0, 0, 255, 0];
const [black, red, white] = ['000000', 'ff0000', 'ffffff'];

test.each<[string, Buffer, string]>([
  ['1 bit', bmpOf({ width: 2, height: 1, bits: 1 }, blackAndRed, [0x40, 0, 0, 0]), black + red],
  [
    '8 bits, from the top',
    bmpOf({ width: 1, height: -2, bits: 8 }, blackAndRed, [0, 0, 0, 0, 1, 0, 0, 0]),
    black + red,
  ],
  [
    '16 bits',
    bmpOf({ width: 1, height: 2, bits: 16 }, [], [0, 0x7c, 0, 0, 0, 0, 0, 0]),
    black + red,
  ],
  ['24 bits, cut off', bmpOf({ width: 2, height: 1, bits: 24 }, [], [0, 0, 255]), red + white],
  [
    'runs of 8 bits',
    bmpOf({ width: 4, height: 1, bits: 8, compression: 1 }, blackAndRed, [3, 1, 0, 1]),
    red + red + red + black,
  ],
  [
    'runs of 4 bits',
    bmpOf({ width: 4, height: 1, bits: 4, compression: 2 }, blackAndRed, [0, 4, 0x10, 0x01, 0, 1]),
    red + black + black + red,
  ],
])('decodes bitmaps of %s', (_, bytes, expected) => {
  const decoded = decodeBmp(bytes, 100);
  expect('channels' in decoded && decoded.data.toString('hex')).toBe(expected);
});

test.each([
  ['too many pixels', { width: 20_000, height: 20_000, bits: 1 }, 'IMAGE_TOO_LARGE'],
  ['an impossible depth', { width: 1, height: 1, bits: 7 }, 'INVALID_FILE'],
])('refuses a bitmap with %s', (_, header, code) => {
  expect(() => decodeBmp(bmpOf(header, [], []), 1e6)).toThrow(expect.objectContaining({ code }));
});

test('draws SVG, and loads nothing that it refers to', async () => {
  const secret = join(await temporaryDirectory(), 'secret.png');
  const black = { width: 9, height: 9, channels: 3, background: '#000' } as const;
  await sharp({ create: black }).png().toFile(secret);
  const svg = `<?xml version="1.0"?><!-- a --><svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"
    xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="file://${secret}" width="10" height="10"/></svg>`;
  const { mediaType, raster } = await load(Buffer.from(svg));
  expect(mediaType).toBe('image/svg+xml');
  expect(raster.data.every((byte) => byte === 255)).toBe(true);
});

test('reads what a camera wrote', async () => {
  const exif = {
    IFD0: { Make: 'Acme', Model: 'Acme One' },
    IFD2: { DateTimeOriginal: '2024:02:29 10:00:00', OffsetTimeOriginal: '+01:00' },
    IFD3: {
      GPSLatitudeRef: 'S',
      GPSLatitude: '33/1 30/1 0/1',
      GPSLongitudeRef: 'E',
      GPSLongitude: '18/1 15/1 0/1',
    },
  };
  const blank = { width: 40, height: 30, channels: 3, background: '#fff' } as const;
  const jpeg = await sharp({ create: blank }).jpeg().withExif(exif).toBuffer();
  expect((await load(jpeg)).metadata).toMatchObject({
    camera: 'Acme One',
    taken: '2024-02-29T10:00:00+01:00',
    gps: [-33.5, 18.25],
    width: 40,
    height: 30,
  });
});

test('damaged EXIF data gives nothing', () => {
  expect(readExif(Buffer.from('Exif\0\0II*\0\xff\xff\xff\xff', 'latin1'))).toMatchObject({
    camera: '',
  });
  expect(readExif(Buffer.from('nothing'))).toEqual({});
});

test('a JPEG 2000 image that states an extreme size is refused before it is decoded', async () => {
  const head = Buffer.from(
    '0000000c6a5020200d0a870a00000014667479706a703220000000006a703220',
    'hex',
  );
  const size = Buffer.from('ff4fff51002f0000000f4240000f42400000000000000000', 'hex');
  await expect(load(Buffer.concat([head, size]))).rejects.toMatchObject({
    code: 'IMAGE_TOO_LARGE',
  });
  await expect(load(head)).rejects.toMatchObject({ code: 'INVALID_FILE' });
});

describe.skipIf(!corpora)('real files', () => {
  test.each([
    ['docs/unstructured/img/DA-1p.heic', 'image/heic'],
    ['docs/unstructured/img/bmp_24.bmp', 'image/bmp'],
    ['hostile/bmp/corpus/nsis_logo.bmp', 'image/bmp'],
    ['docs/icij-extract/documents/ocr/test.jp2', 'image/jp2'],
  ])('%s is decoded', async (name, type) => {
    const { mediaType, raster, metadata } = await load(readFileSync(join(corpora ?? '', name)));
    expect(mediaType).toBe(type);
    expect(new Set(raster.data).size).toBeGreaterThan(1);
    expect(metadata.width).toBeGreaterThan(1);
  });
});
