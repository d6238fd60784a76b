import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { PermanentError } from '../../errors.ts';
import { knownFileOmission, type Omission, type UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { decodeText } from '../text/decode-text.ts';
import { Budget } from '../unpack/budget.ts';
import { makeEntryFile } from '../unpack/entry-file.ts';
import { unsafeName } from './unsafe-name.ts';

/**
 * Unpacks a zip archive without its directory, which is at the end and missing where an archive is
 * cut off: looks for the headers of the entries themselves.
 */
export async function* unpackZipEntries(input: UnpackInput): AsyncGenerator<UnpackedEntry> {
  const { path, directory, limits, skip } = input;
  const file = await open(path);
  const budget = new Budget(limits);
  try {
    let position = 0;
    for (let at = await findHeader(file, 0); at !== undefined; position += 1) {
      const header = await readHeader(file, at);
      const place = { position, name: header.name };
      let end = header.start + header.packed;
      const omission = omissionOf(header);
      if (position < skip || omission) {
        if (position >= skip && omission) yield { ...place, ...omission };
      } else
        yield await makeEntryFile(place, directory, async (to) => {
          end = await writeEntry(path, header, { to, budget });
        });
      at = await findHeader(file, Math.max(end, at + fixedBytes));
    }
  } finally {
    await file.close();
  }
  throw new PermanentError('INVALID_FILE', 'The directory of the archive is missing');
}

const mark = 'PK\x03\x04';
const fixedBytes = 30;
const chunkBytes = 2 ** 20;

async function findHeader(file: FileHandle, from: number): Promise<number | undefined> {
  const buffer = Buffer.alloc(chunkBytes);
  for (let at = from; ; at += chunkBytes - fixedBytes) {
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, at);
    const found = buffer.subarray(0, bytesRead).indexOf(mark, 0, 'latin1');
    if (found !== -1 && found + fixedBytes <= bytesRead) return at + found;
    if (bytesRead < chunkBytes) return undefined;
  }
}

interface Header {
  name: string;
  isEncrypted: boolean;
  method: number;
  /** Undefined if they follow the data. */
  checksum: number | undefined;
  start: number;
  /** Zero if it is not known. */
  packed: number;
}

const flags = { encrypted: 1, later: 8, utf8: 0x800 };

async function readHeader(file: FileHandle, at: number): Promise<Header> {
  const { buffer: fixed } = await file.read(Buffer.alloc(fixedBytes), 0, fixedBytes, at);
  const flag = fixed.readUInt16LE(6);
  const [nameBytes, extraBytes] = [fixed.readUInt16LE(26), fixed.readUInt16LE(28)];
  const { buffer: name } = await file.read(Buffer.alloc(nameBytes), 0, nameBytes, at + fixedBytes);
  const packed = fixed.readUInt32LE(18);
  return {
    name: flag & flags.utf8 ? name.toString('utf8') : decodeText(name),
    isEncrypted: (flag & flags.encrypted) !== 0,
    method: fixed.readUInt16LE(8),
    checksum: flag & flags.later ? undefined : fixed.readUInt32LE(14),
    start: at + fixedBytes + nameBytes + extraBytes,
    // Larger entries have their size elsewhere.
    packed: packed === 0xffffffff ? 0 : packed,
  };
}

const methods = { stored: 0, deflated: 8 };

function omissionOf({ name, isEncrypted, method, checksum }: Header): Omission | undefined {
  if (name.endsWith('/')) return { kind: 'skipped', reason: 'A folder, not a file' };
  const known = knownFileOmission(name) ?? unsafeName(name);
  if (known) return known;
  const isReadable =
    method === methods.deflated || (method === methods.stored && checksum !== undefined);
  if (isReadable && !isEncrypted) return undefined;
  const reason = isEncrypted ? 'encrypted' : `compressed with method ${method}`;
  return { kind: 'exception', reason: `The archive is damaged, and the entry is ${reason}` };
}

/** Returns where the data of the entry end. */
async function writeEntry(
  path: string,
  { start, packed, method, checksum }: Header,
  { to, budget }: { to: string; budget: Budget },
): Promise<number> {
  const isDeflated = method === methods.deflated;
  const range = packed > 0 || !isDeflated ? { start, end: start + packed - 1 } : { start };
  if (packed === 0 && !isDeflated) return start;
  const inflate = createInflateRaw();
  let sum = 0;
  const check = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of budget.meter(chunks)) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  };
  const source = createReadStream(path, range);
  const target = createWriteStream(to, { flags: 'wx' });
  if (isDeflated) await pipeline(source, inflate, check, target);
  else await pipeline(source, check, target);
  if (checksum !== undefined && sum !== checksum)
    throw new Error('The entry is damaged: CRC-32 mismatch');
  return start + (isDeflated ? inflate.bytesWritten : packed);
}
