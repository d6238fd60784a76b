import { open } from 'node:fs/promises';
import { PermanentError } from '../../errors.ts';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { unpackListed } from './unpack-listed.ts';

const mark4 = Buffer.from('Rar!\x1a\x07\x00', 'latin1');
const mark5 = Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1');

/** Unpacks a RAR archive of version 4 or 5. */
export async function* unpackRar(input: UnpackInput): AsyncGenerator<UnpackedEntry> {
  const head = await readHead(input.path);
  const is5 = head.subarray(0, mark5.length).equals(mark5);
  const { isLocked, isLaterVolume } = is5 ? readHeader5(head) : readHeader4(head);
  if (isLaterVolume) throw new PermanentError('INVALID_FILE', laterVolume);
  try {
    yield* unpackListed(input, is5 ? 'Rar5' : 'Rar');
  } catch (error) {
    // With a wrong password 7-Zip sees malformed headers.
    const isMalformed = error instanceof PermanentError && error.code === 'INVALID_FILE';
    if (!isMalformed || !isLocked) throw error;
    throw new PermanentError('PASSWORD_PROTECTED', 'The names of the entries are encrypted', {
      cause: error,
    });
  }
}

const laterVolume =
  'This is a later part of a split archive. Join the parts, or upload their contents.';

interface Header {
  /** All headers are encrypted. */
  isLocked: boolean;
  isLaterVolume: boolean;
}

/** Flags of the main header: 0x0001 volume, 0x0080 encrypted headers, 0x0100 first volume. */
function readHeader4(head: Buffer): Header {
  const at = mark4.length + 3;
  const flags = head.length >= at + 2 ? head.readUInt16LE(at) : 0;
  return {
    isLocked: (flags & 0x0080) !== 0,
    isLaterVolume: (flags & 0x0001) !== 0 && (flags & 0x0100) === 0,
  };
}

/** The first block: checksum, size, type (1 main, 4 encryption), flags, size of extra area, flags. */
function readHeader5(head: Buffer): Header {
  const next = numbers(head, mark5.length + 4);
  next();
  const type = next();
  const hasExtra = (next() & 1) !== 0;
  if (hasExtra) next();
  return { isLocked: type === 4, isLaterVolume: type === 1 && (next() & 2) !== 0 };
}

/** Reads numbers of seven bits per byte, the lowest first. */
function numbers(bytes: Buffer, from: number): () => number {
  let at = from;
  return () => {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  };
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
