import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { Raster } from './raster.ts';

const compress = promisify(deflate);

const HEADER_BYTES = 8;
const DIRECTORY_BYTES = 120;
const BITS_AT = 114;
const SHORT = 3;
const LONG = 4;
const MAX_BYTES = 2 ** 32;

/** Writes a multi-page TIFF page by page, so that memory use does not grow with its length. */
export class TiffWriter {
  readonly #file: FileHandle;
  #left: number;
  #at = HEADER_BYTES;

  constructor(file: FileHandle, pages: number) {
    this.#file = file;
    this.#left = pages;
  }

  async add({ data, width, height }: Raster): Promise<void> {
    if (this.#at === HEADER_BYTES)
      await this.#file.write(Buffer.from([0x49, 0x49, 42, 0, HEADER_BYTES, 0, 0, 0]));
    const strip = await compress(data, { level: 3 });
    const start = this.#at;
    // TIFF requires directories (IFDs) at even offsets.
    const end = start + DIRECTORY_BYTES + strip.length + (strip.length % 2);
    if (end > MAX_BYTES) throw new Error('The repaired document exceeds the 4 GiB limit of TIFF');
    this.#left -= 1;
    await this.#file.write(
      directory({ width, height, start, bytes: strip.length, next: this.#left > 0 ? end : 0 }),
    );
    await this.#file.write(strip);
    if (strip.length % 2) await this.#file.write(Buffer.alloc(1));
    this.#at = end;
  }
}

interface Directory {
  width: number;
  height: number;
  start: number;
  bytes: number;
  next: number;
}

function directory({ width, height, start, bytes, next }: Directory): Buffer {
  const entries = [
    { tag: 256, type: LONG, count: 1, value: width },
    { tag: 257, type: LONG, count: 1, value: height },
    { tag: 258, type: SHORT, count: 3, value: start + BITS_AT },
    { tag: 259, type: SHORT, count: 1, value: 8 /* deflate */ },
    { tag: 262, type: SHORT, count: 1, value: 2 /* RGB */ },
    { tag: 273, type: LONG, count: 1, value: start + DIRECTORY_BYTES },
    { tag: 277, type: SHORT, count: 1, value: 3 },
    { tag: 278, type: LONG, count: 1, value: height },
    { tag: 279, type: LONG, count: 1, value: bytes },
  ];
  const buffer = Buffer.alloc(DIRECTORY_BYTES);
  let at = buffer.writeUInt16LE(entries.length, 0);
  for (const { tag, type, count, value } of entries) {
    at = buffer.writeUInt16LE(tag, at);
    at = buffer.writeUInt16LE(type, at);
    at = buffer.writeUInt32LE(count, at);
    at = buffer.writeUInt32LE(value, at);
  }
  at = buffer.writeUInt32LE(next, at);
  for (const bits of [8, 8, 8]) at = buffer.writeUInt16LE(bits, at);
  return buffer;
}
