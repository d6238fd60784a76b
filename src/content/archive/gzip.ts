import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { Budget } from '../unpack/budget.ts';
import { makeEntryFile } from '../unpack/entry-file.ts';
import { withoutExtension } from './compressed.ts';
import { unpackTar } from './tar.ts';
import { isTar } from './tar-header.ts';

/** Enough to recognise a tar. */
const headBytes = 1024;

/** Unpacks a gzip file: the entries of a tar, or the one file in it. */
export async function* unpackGzip(input: UnpackInput): AsyncGenerator<UnpackedEntry> {
  const { path, directory, limits, skip } = input;
  const { size: packed } = await stat(path);
  const gunzip = createGunzip();
  pipeline(createReadStream(path), gunzip).catch(() => undefined);
  const chunks = gunzip[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const head = await readHead(chunks).catch(throwInvalid);
  const source = Readable.from(following(head, chunks), { objectMode: false });
  if (isTar(head)) {
    yield* unpackTar(source, input, packed);
    return;
  }
  if (skip > 0) return;
  const budget = new Budget(limits);
  const name = (await storedName(path)) ?? withoutExtension(input.name);
  const write = (file: string) =>
    pipeline(
      source,
      (bytes: AsyncIterable<Buffer>) => budget.meter(bytes, packed),
      createWriteStream(file, { flags: 'wx' }),
    );
  yield await makeEntryFile({ position: 0, name }, directory, write);
}

async function readHead(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const read: Buffer[] = [];
  for (let bytes = 0; bytes < headBytes; ) {
    const { done, value } = await chunks.next();
    if (done) break;
    read.push(value);
    bytes += value.length;
  }
  return Buffer.concat(read);
}

async function* following(head: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  for (;;) {
    const { done, value } = await chunks.next();
    if (done) return;
    yield value;
  }
}

const flags = { extra: 4, name: 8 };
const fixedBytes = 10;

/** The name of the file before it was compressed, if the header has it (RFC 1952). */
async function storedName(path: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const flag = buffer[3] ?? 0;
    if (!(flag & flags.name)) return undefined;
    const at = fixedBytes + (flag & flags.extra ? 2 + buffer.readUInt16LE(fixedBytes) : 0);
    const end = buffer.indexOf(0, at);
    return end > at ? buffer.toString('latin1', at, end) : undefined;
  } finally {
    await file.close();
  }
}

function throwInvalid(error: unknown): never {
  if (isDiskFull(error)) throw error;
  const reason = `The file cannot be decompressed: ${describeError(error)}`;
  throw new PermanentError('INVALID_FILE', reason, { cause: error });
}
