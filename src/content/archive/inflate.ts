import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import type { Budget } from '../unpack/budget.ts';

/** Decompresses an entry into a new file and verifies its CRC-32. */
export async function inflate(
  zip: ZipFile,
  entry: Entry,
  path: string,
  budget: Budget,
): Promise<void> {
  let made = 0;
  let checksum = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _, next) {
      made += chunk.length;
      checksum = crc32(chunk, checksum);
      try {
        budget.spend(chunk.length, { made, packed: entry.compressedSize });
        next(null, chunk);
      } catch (error) {
        next(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  await pipeline(
    await zip.openReadStreamPromise(entry),
    meter,
    createWriteStream(path, { flags: 'wx' }),
  );
  if (checksum !== entry.crc32) throw new Error('The entry is damaged: CRC-32 mismatch');
}
