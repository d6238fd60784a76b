import { PermanentError } from '../../../errors.ts';
import { type BmpHeader, compressions, readBmpHeader } from './header.ts';
import { expandRuns } from './runs.ts';

export interface RawImage {
  data: Buffer;
  width: number;
  height: number;
  channels: 3;
}

/** Decodes a bitmap. One that only wraps a JPEG or PNG file is returned as that file. */
export function decodeBmp(bytes: Buffer, maxPixels: number): RawImage | Buffer {
  const header = readBmpHeader(bytes);
  const { width, height, compression, pixelsAt } = header;
  if (width * height > maxPixels)
    throw new PermanentError(
      'IMAGE_TOO_LARGE',
      `The image has ${width} × ${height} pixels; the limit is ${maxPixels}`,
    );
  if (compression === compressions.jpeg || compression === compressions.png)
    return bytes.subarray(pixelsAt);
  const readPixel = pixelReader(bytes, header);
  const data = Buffer.alloc(width * height * 3, 0xff);
  for (let y = 0; y < height; y += 1) {
    const row = header.isTopDown ? y : height - 1 - y;
    for (let x = 0; x < width; x += 1) data.writeUIntBE(readPixel(x, row), (y * width + x) * 3, 3);
  }
  return { data, width, height, channels: 3 };
}

/** Returns the colour at a place as 0xRRGGBB, white where the file is cut off. */
type PixelReader = (x: number, storedRow: number) => number;
const white = 0xffffff;

function pixelReader(bytes: Buffer, header: BmpHeader): PixelReader {
  const { width, bits, compression, pixelsAt, palette } = header;
  const colour = (index: number) => palette[index] ?? white;
  if (compression === compressions.rle8 || compression === compressions.rle4) {
    const indexes = expandRuns(bytes.subarray(pixelsAt), header);
    return (x, row) => colour(indexes[row * width + x] ?? 0);
  }
  const stride = Math.ceil((width * bits) / 32) * 4;
  if (bits <= 8) {
    const perByte = 8 / bits;
    const mask = 2 ** bits - 1;
    return (x, row) => {
      const byte = bytes[pixelsAt + row * stride + Math.floor(x / perByte)];
      return byte === undefined ? white : colour((byte >> (8 - bits * ((x % perByte) + 1))) & mask);
    };
  }
  const size = bits / 8;
  const scale = header.masks.map(maskScaler);
  return (x, row) => {
    const at = pixelsAt + row * stride + x * size;
    if (at + size > bytes.length) return white;
    const pixel = bytes.readUIntLE(at, size);
    return scale.reduce((all, channel) => all * 256 + channel(pixel), 0);
  };
}

/** Takes the bits of a mask out of a pixel and scales them to a byte. */
function maskScaler(mask: number): (pixel: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const top = mask >>> shift;
  return (pixel) => Math.round((((pixel & mask) >>> shift) * 255) / top);
}
