import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PutOptions } from '../storage.ts';
import { codeOf } from './code.ts';
import { inDirectoryOf } from './directories.ts';

interface Write extends PutOptions {
  root: string;
  incoming: string;
  path: string;
  body: Buffer | Readable;
}

/** Writes aside, then moves into place: readers see the whole object or none. */
export async function write({ root, incoming, path, body, ifAbsent, signal }: Write): Promise<'stored' | 'exists'> {
  const aside = join(incoming, randomUUID());
  const source = Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : body;
  try {
    const file = createWriteStream(aside, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(source, file, signal ? { signal } : {});
    await inDirectoryOf(path, root, () => (ifAbsent ? link(aside, path) : rename(aside, path)));
    return 'stored';
  } catch (error) {
    if (ifAbsent && codeOf(error) === 'EEXIST') return 'exists';
    signal?.throwIfAborted();
    throw error;
  } finally {
    await rm(aside, { force: true });
  }
}
