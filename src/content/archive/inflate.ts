import { createWriteStream } from 'node:fs';
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
  if (checksum !== entry.crc32) throw new Error('The entry is damaged: CRC-32 mismatch');
}
