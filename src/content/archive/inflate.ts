import { createWriteStream, readSync, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import type { Budget } from '../unpack/budget.ts';

export interface OpenZip {
  zip: ZipFile;
  /** Descriptor of the same file, for entries that are read at once. */
  file: number;
}

/** Most entries are small. Streams and asynchronous calls cost more than the work on these. */
const small = { packed: 2 ** 18, bytes: 2 ** 20 };

/** Decompresses an entry into a new file and verifies its CRC-32. */
export async function inflate(
  { zip, file }: OpenZip,
  entry: Entry,
  path: string,
  budget: Budget,
): Promise<void> {
  const { compressedSize: packed, uncompressedSize: bytes } = entry;
  const isSmall = packed <= small.packed && bytes <= small.bytes;
  const checksum = isSmall
    ? inflateAtOnce(file, entry, { path, budget })
    : await inflateStream(zip, entry, { path, budget });
  if (checksum !== entry.crc32) throw new Error('The entry is damaged: CRC-32 mismatch');
}

interface Target {
  path: string;
  budget: Budget;
}

const localHeaderBytes = 30;
const stored = 0;

function inflateAtOnce(
  file: number,
  { relativeOffsetOfLocalHeader: at, compressedSize: packed, ...entry }: Entry,
  { path, budget }: Target,
): number {
  const header = readExactly(file, at, localHeaderBytes);
  if (header.readUInt32LE(0) !== 0x04034b50) throw new Error('The entry has no local header');
  const start = at + localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  const raw = readExactly(file, start, packed);
  // One byte more than it says is enough to know that it is larger.
  const maxOutputLength = entry.uncompressedSize + 1;
  const bytes = entry.compressionMethod === stored ? raw : inflateRawSync(raw, { maxOutputLength });
  if (bytes.length !== entry.uncompressedSize)
    throw new Error(`The entry has ${bytes.length} of ${entry.uncompressedSize} bytes`);
  budget.check(bytes.length, packed);
  writeFileSync(path, bytes, { flag: 'wx' });
  budget.spend(bytes.length);
  return crc32(bytes);
}

function readExactly(file: number, at: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  if (readSync(file, buffer, 0, length, at) < length) throw new Error('The entry is cut off');
  return buffer;
}

async function inflateStream(
  zip: ZipFile,
  entry: Entry,
  { path, budget }: Target,
): Promise<number> {
  let checksum = 0;
  await pipeline(
    await zip.openReadStreamPromise(entry),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of budget.meter(chunks, entry.compressedSize)) {
        checksum = crc32(chunk, checksum);
        yield chunk;
      }
    },
    createWriteStream(path, { flags: 'wx' }),
  );
  return checksum;
}
