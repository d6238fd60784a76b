import { open } from 'node:fs/promises';
import { PermanentError } from '../../errors.ts';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { unpackListed } from './unpack-listed.ts';

/** Unpacks a 7z archive. */
export async function* unpackSevenZip(input: UnpackInput): AsyncGenerator<UnpackedEntry> {
  const header = await readHeader(input.path);
  if (header === undefined)
    throw new PermanentError(
      'INVALID_FILE',
      'The archive is cut off, or is one part of a split archive. Join its parts and upload it again.',
    );
  try {
    yield* unpackListed(input, '7z');
  } catch (error) {
    // With a wrong password 7-Zip sees a malformed header.
    const isMalformed = error instanceof PermanentError && error.code === 'INVALID_FILE';
    if (!isMalformed || !isEncrypted(header)) throw error;
    throw new PermanentError('PASSWORD_PROTECTED', 'The names of the entries are encrypted', {
      cause: error,
    });
  }
}

const startHeaderBytes = 32;
const encodedHeader = 0x17;
/** The id of 7zAES, as it is written in the description of a header. */
const cipher = Buffer.from([0x06, 0xf1, 0x07, 0x01]);

function isEncrypted(header: Buffer): boolean {
  return header[0] === encodedHeader && header.includes(cipher);
}

/** The header is at the end; the start of the file says where. Undefined if it is not there. */
async function readHeader(path: string): Promise<Buffer | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer: start } = await file.read(
      Buffer.alloc(startHeaderBytes),
      0,
      startHeaderBytes,
      0,
    );
    const offset = startHeaderBytes + Number(start.readBigUInt64LE(12));
    const bytes = Number(start.readBigUInt64LE(20));
    if (offset + bytes > size) return undefined;
    const { buffer } = await file.read(Buffer.alloc(Math.min(bytes, 2 ** 16)), 0, null, offset);
    return buffer;
  } finally {
    await file.close();
  }
}
