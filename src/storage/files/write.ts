import { randomUUID } from 'node:crypto';
import { createWriteStream, writeFile } from 'node:fs';
import { link, mkdir, open, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { batchCallsBy } from '../../lib/batch-calls.ts';
import { storageUnavailable } from '../outage.ts';
import type { PutOptions } from '../storage.ts';

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

/**
 * Runs `place`, creating the parent directory if it is missing or a concurrent remove deletes it
 * meanwhile.
 */
export async function withParentDirectory(
  path: string,
  root: string,
  place: () => Promise<void>,
): Promise<void> {
  const directory = dirname(path);
  let top = directory;
  for (let tries = 1; ; tries++) {
    try {
      await place();
      return await persist(directory, top);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || tries === 10) throw error;
      await assertMounted(root);
      if (await mkdir(directory, { recursive: true, mode: 0o700 })) top = root;
    }
  }
}

/**
 * Without its root, storage is a volume that is not mounted: nothing in it is missing, and nothing
 * may be written to the directory underneath.
 */
export async function assertMounted(root: string): Promise<void> {
  await stat(root).catch((error: unknown) => {
    throw errorCode(error) === 'ENOENT' ? storageUnavailable(error) : error;
  });
}

/** A rename is durable once its directory is synced; a new directory, once its parent is. */
async function persist(directory: string, top: string): Promise<void> {
  await flush(directory);
  if (directory !== top) await persist(dirname(directory), top);
}

/** One sync covers all files renamed into the directory before it started. */
const flush = batchCallsBy(
  (directory: string) => directory,
  async (directories) => {
    const [directory] = directories;
    if (directory === undefined) return [];
    const handle = await open(directory);
    await handle.sync().finally(() => handle.close());
    return directories;
  },
  { most: 1000, inFlight: 1 },
);

/** Removes the parent directories of a removed file that are now empty. */
export async function discardEmpty(path: string, root: string): Promise<void> {
  for (let directory = dirname(path); directory !== root; directory = dirname(directory)) {
    const removed = await rmdir(directory).then(
      () => true,
      (error) => errorCode(error) === 'ENOENT',
    );
    if (!removed) return;
  }
}

/** The system code of an error (ENOENT, ECONNREFUSED, …); empty if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/** For `catch`: returns undefined if the file or its directory does not exist, else rethrows. */
export function unlessMissing(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error))) throw error;
}
