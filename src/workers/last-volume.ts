import { open, stat } from 'node:fs/promises';
import type { Volume } from '../domain/volume.ts';

/**
 * Whether volumes say that another one follows. `paths` are those that are there, the main one
 * first. Where the format does not say, or hides it by encryption, the answer is no.
 */
export async function tellsMore({ kind }: Volume, paths: readonly string[]): Promise<boolean> {
  const [main = ''] = paths;
  const last = paths.at(-1) ?? main;
  if (kind === 'zip') return paths.length < (await countZipVolumes(main));
  if (kind !== 'split') return /^Rar!/.test(await read(main, 0, 4)) && rarContinues(last);
  const head = await read(main, 0, sevenZipHeader);
  if (head.startsWith('7z\xbc\xaf\x27\x1c')) return (await sizeOf(paths)) < sevenZipSize(head);
  return head.startsWith('PK\x03\x04') && !(await read(last, -zipTail, zipTail)).includes(zipEnd);
}

const sevenZipHeader = 32;
const zipEnd = 'PK\x05\x06';
/** The end record and the longest comment. */
const zipTail = 22 + 65_535;

/** The start of the file says where its last part is, and how long that is. */
function sevenZipSize(head: string): number {
  const bytes = Buffer.from(head, 'latin1');
  if (bytes.length < sevenZipHeader) return 0;
  return sevenZipHeader + Number(bytes.readBigUInt64LE(12)) + Number(bytes.readBigUInt64LE(20));
}

/** The end record has the number of its volume, from 0. */
async function countZipVolumes(main: string): Promise<number> {
  const tail = await read(main, -zipTail, zipTail);
  const at = tail.lastIndexOf(zipEnd);
  return at === -1 ? 1 : 1 + Buffer.from(tail, 'latin1').readUInt16LE(at + 4);
}

/** The last block of a volume: its bytes in version 5, its type, flags and size in version 4. */
const moreIn5 = '\x8b\x47\x51\x26\x03\x05\x04\x01';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are bytes
const endIn4 = /\x7b([\x00-\x0f])\x40[\x07-\x14]\x00/;
const rarTail = 64;

async function rarContinues(last: string): Promise<boolean> {
  const tail = await read(last, -rarTail, rarTail);
  if (tail.includes(moreIn5)) return true;
  const [, flags = ''] = endIn4.exec(tail) ?? [];
  return flags !== '' && (flags.charCodeAt(0) & 1) === 1;
}

async function sizeOf(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Reads bytes as Latin-1; a negative start counts from the end. */
async function read(path: string, start: number, length: number): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const from = start < 0 ? Math.max(0, size + start) : start;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}
