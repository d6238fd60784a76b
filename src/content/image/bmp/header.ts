import { PermanentError } from '../../../errors.ts';

export const compressions = { none: 0, rle8: 1, rle4: 2, masks: 3, jpeg: 4, png: 5, alphaMasks: 6 };

export interface BmpHeader {
  width: number;
  height: number;
  isTopDown: boolean;
  bits: number;
  compression: number;
  pixelsAt: number;
  /** Colours as 0xRRGGBB. */
  palette: number[];
  /** Where red, green and blue are in a pixel of more than 8 bits. */
  masks: [number, number, number];
}

const fileHeaderBytes = 14;
const oldHeaderBytes = 12;
const depths = [1, 2, 4, 8, 16, 24, 32];

/** Reads the header of a bitmap of any version. */
export function readBmpHeader(bytes: Buffer): BmpHeader {
  if (bytes.length < fileHeaderBytes + oldHeaderBytes) throw damaged('it is cut off');
  const size = bytes.readUInt32LE(fileHeaderBytes);
  const isOld = size === oldHeaderBytes;
  if (!isOld && bytes.length < fileHeaderBytes + 40) throw damaged('it is cut off');
  const signedHeight = isOld ? bytes.readInt16LE(20) : bytes.readInt32LE(22);
  const header = {
    width: isOld ? bytes.readUInt16LE(18) : bytes.readInt32LE(18),
    height: Math.abs(signedHeight),
    isTopDown: signedHeight < 0,
    bits: bytes.readUInt16LE(isOld ? 24 : 28),
    compression: isOld ? compressions.none : bytes.readUInt32LE(30),
    pixelsAt: bytes.readUInt32LE(10),
  };
  if (header.width <= 0 || header.height === 0) throw damaged('it has no pixels');
  const isWrapper =
    header.compression === compressions.jpeg || header.compression === compressions.png;
  if (!isWrapper && !depths.includes(header.bits)) throw damaged(`${header.bits} bits per pixel`);
  if (header.compression > compressions.alphaMasks) throw damaged('unknown compression');
  return {
    ...header,
    palette: readPalette(bytes, fileHeaderBytes + size, isOld ? 3 : 4, header),
    masks: readMasks(bytes, header),
  };
}

function readPalette(
  bytes: Buffer,
  start: number,
  entry: number,
  { bits, pixelsAt }: Pick<BmpHeader, 'bits' | 'pixelsAt'>,
): number[] {
  if (bits > 8) return [];
  const end = Math.min(bytes.length, pixelsAt, start + entry * 2 ** bits);
  const count = Math.max(0, Math.floor((end - start) / entry));
  return Array.from({ length: count }, (_, i) => bytes.readUIntLE(start + entry * i, 3));
}

function readMasks(
  bytes: Buffer,
  { bits, compression }: Pick<BmpHeader, 'bits' | 'compression'>,
): [number, number, number] {
  const hasMasks = compression === compressions.masks || compression === compressions.alphaMasks;
  // Masks follow the first 40 bytes of the header, as a part of it or behind it.
  if (hasMasks && bytes.length >= 66)
    return [bytes.readUInt32LE(54), bytes.readUInt32LE(58), bytes.readUInt32LE(62)];
  return bits === 16 ? [0x7c00, 0x03e0, 0x001f] : [0xff0000, 0x00ff00, 0x0000ff];
}

function damaged(why: string): PermanentError {
  return new PermanentError('INVALID_FILE', `The bitmap cannot be decoded: ${why}`);
}
