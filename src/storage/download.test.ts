import { createHash } from 'node:crypto';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NotFoundError, PermanentError } from '../errors.ts';
import { download } from './download.ts';
import { openStorage } from './index.ts';
import type { Storage } from './storage.ts';

const content = Buffer.alloc(300_000, 'page ');
const sha256 = createHash('sha256').update(content).digest('hex');
let directory: string;
let path: string;
let storage: Storage;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-download-'));
  path = join(directory, 'copy');
  storage = await openStorage({ kind: 'files', directory });
  await storage.put('object', content);
});
afterAll(() => rm(directory, { recursive: true }));

it('copies an object and says what it was', async () => {
  expect(await download(storage, 'object', path, { sha256 })).toEqual({ bytes: 300_000, sha256 });
  expect((await readFile(path)).equals(content)).toBe(true);
});

it('refuses bytes that differ, and keeps no copy', async () => {
  const refused = download(storage, 'object', path, { sha256: '0'.repeat(64) });
  await expect(refused).rejects.toThrow(PermanentError);
  await expect(refused).rejects.toMatchObject({ code: 'FILE_MISSING_OR_INCOMPLETE' });
  await expect(refused).rejects.toThrow(/object \(300000 bytes\) differs from what was received/);
  await expect(access(path)).rejects.toThrow('ENOENT');
});

it('says that the object is missing', async () => {
  await expect(download(storage, 'missing', path)).rejects.toThrow(NotFoundError);
});

it('stops when told to', async () => {
  await expect(download(storage, 'object', path, { signal: AbortSignal.abort() })).rejects.toThrow(
    /abort/,
  );
  await expect(access(path)).rejects.toThrow('ENOENT');
});
