import { randomUUID } from 'node:crypto';
import { createWriteStream, writeFile } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { PutOptions } from '../storage.ts';
import { assertMounted, errorCode, withParentDirectory } from './directories.ts';

interface Write extends PutOptions {
  root: string;
  incoming: string;
  path: string;
  body: Buffer | Readable;
}

/** Writes to a temporary file and moves it into place: readers see the complete object or none. */
export async function write({
  root,
  incoming,
  path,
  body,
  ifAbsent,
  signal,
}: Write): Promise<'stored' | 'exists'> {
  const aside = join(incoming, randomUUID());
  let moved = false;
  try {
    if (Buffer.isBuffer(body)) await writeWhole(aside, body, { ...asNew, flag: 'wx', signal });
    else
      await pipeline(
        body,
        createWriteStream(aside, { ...asNew, flags: 'wx' }),
        signal ? { signal } : {},
      );
    await withParentDirectory(path, root, () =>
      ifAbsent ? link(aside, path) : rename(aside, path),
    );
    moved = !ifAbsent;
    return 'stored';
  } catch (error) {
    if (ifAbsent && errorCode(error) === 'EEXIST') return 'exists';
    signal?.throwIfAborted();
    if (errorCode(error) === 'ENOENT') await assertMounted(incoming);
    throw error;
  } finally {
    if (!moved) await rm(aside, { force: true });
  }
}

/** Cheaper than `fs/promises`, which creates a file handle with listeners per file. */
const writeWhole = promisify(writeFile);

const asNew = { mode: 0o600, flush: true };
