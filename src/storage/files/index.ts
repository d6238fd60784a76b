import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { NotFoundError, SetupError, StorageRefusedError } from '../../errors.ts';
import { memoizeFor } from '../../lib/memoize-for.ts';
import { SECOND } from '../../lib/time.ts';
import { checkKey, checkPrefix } from '../keys.ts';
import { isVolumeOutage, storageUnavailable } from '../outage.ts';
import { probe } from '../probe.ts';
import type { Storage } from '../storage.ts';
import { sweep } from './sweep.ts';
import { walk } from './walk.ts';
import { assertMounted, discardEmpty, errorCode, unlessMissing, write } from './write.ts';

/**
 * Objects as plain files in `directory/objects`; files being written are in `directory/incoming`.
 */
export async function openFiles(directory: string): Promise<Storage> {
  const objects = join(directory, 'objects');
  const incoming = join(directory, 'incoming');
  const pathOf = (key: string) => {
    checkKey(key);
    return join(objects, key);
  };
  await explained(directory, async () => {
    for (const each of [objects, incoming]) await mkdir(each, { recursive: true, mode: 0o700 });
    await sweep(incoming);
  });

  const storage: Storage = {
    put: async (key, body, options = {}) =>
      write({ root: objects, incoming, path: pathOf(key), body, ...options }),
    get: async (key, signal) => {
      const stream = await read(key, pathOf(key), objects);
      return signal ? addAbortSignal(signal, stream) : stream;
    },
    head: async (key) => {
      const found = await stat(pathOf(key)).catch(unlessMissing);
      if (!found) await assertMounted(objects);
      return found?.isFile() ? { key, bytes: found.size, modified: found.mtime } : undefined;
    },
    remove: async (key) => {
      const path = pathOf(key);
      await rm(path).catch(unlessMissing);
      await discardEmpty(path, objects);
    },
    list: (prefix, after) => {
      checkPrefix(prefix);
      return walk(objects, prefix, after);
    },
    link: async (key) => {
      checkKey(key);
      return undefined;
    },
    check: () => explained(directory, () => probe(storage)),
    writable: memoizeFor(SECOND, () => explained(directory, () => tryToWrite(incoming))),
    close: async () => {},
  };
  return storage;
}

async function read(key: string, path: string, root: string) {
  const file = await open(path).catch(unlessMissing);
  if (file && (await file.stat()).isFile()) return file.createReadStream();
  await file?.close();
  await assertMounted(root);
  throw new NotFoundError(`There is no object ${key} in storage`);
}

/** About the size of a result. The file is removed before it is flushed to disk. */
const bytes = Buffer.alloc(64 * 1024);

/**
 * Writes a file, because disk statistics do not show quotas, reserved blocks or a read-only
 * remount.
 */
export async function tryToWrite(directory: string): Promise<void> {
  const path = join(directory, randomUUID());
  try {
    await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
  } finally {
    await rm(path, { force: true });
  }
}

const reasons: Record<string, [sentence: string, hint: string]> = {
  EACCES: [
    'is not writable by this user',
    'Make the user that runs Millrace its owner, or choose another directory.',
  ],
  EPERM: [
    'is not writable by this user',
    'Make the user that runs Millrace its owner, or choose another directory.',
  ],
  EROFS: ['is on a read-only file system', 'Choose a directory on a writable disk.'],
  ENOSPC: ['is on a full disk', 'Free some space, or choose a directory on another disk.'],
  EDQUOT: ['has used up its quota', 'Raise the quota, or choose a directory on another disk.'],
  ENOTDIR: ['is not a directory', 'Choose a directory, or a path where one can be created.'],
  EEXIST: ['is not a directory', 'Choose a directory, or a path where one can be created.'],
};

/** Turns errors of the file system into a SetupError with a hint. */
export async function explained(directory: string, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    const [sentence, hint] = reasons[errorCode(error)] ?? [];
    if (!sentence || !hint) throw error;
    throw new SetupError(`The storage directory ${directory} ${sentence}`, hint, { cause: error });
  }
}

/** For calls other than `check`: separates outages, which end by themselves, from refusals. */
export function translateProblem(error: unknown, directory: string): unknown {
  if (isVolumeOutage(error)) return storageUnavailable(error);
  const code = errorCode(error);
  const [sentence, hint] = refusals.has(code) ? (reasons[code] ?? []) : [];
  return sentence && hint
    ? new StorageRefusedError(`The storage directory ${directory} ${sentence}`, hint, {
        cause: error,
      })
    : error;
}

const refusals = new Set(['EACCES', 'EPERM']);
