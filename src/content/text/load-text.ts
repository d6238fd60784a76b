import { open } from 'node:fs/promises';
import { PermanentError } from '../../errors.ts';
import { printable } from '../../lib/printable.ts';
import { detectText } from './detect-text.ts';

/** Covers the maximum text length in any encoding. */
const maxBytes = 40_000_000;

/** The start of a text file, decoded. */
export async function loadText(path: string): Promise<{ text: string; isWhole: boolean }> {
  const { bytes, isWhole } = await readStart(path);
  if (bytes.length === 0) throw new PermanentError('EMPTY_FILE', 'The text file is empty');
  return { text: printable(await detectText(bytes)), isWhole };
}

async function readStart(path: string): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
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
