import { open } from 'node:fs/promises';

/** The first bytes of a file, and whether these are all. */
export async function readStart(
  path: string,
  maxBytes: number,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = Math.min(size, maxBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return { bytes: buffer.subarray(0, bytesRead), isWhole: size <= maxBytes };
  } finally {
    await file.close();
  }
}
