import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFiles } from '../storage/files/index.ts';
import type { Storage } from '../storage/storage.ts';
import { store } from './store.ts';

let directory: string;
let storage: Storage;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-test-'));
  storage = await openFiles(directory);
});
afterAll(() => rm(directory, { recursive: true }));

const hex = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest('hex');

/** In chunks, as they arrive from a connection. */
function pieces(body: Buffer): Readable {
  const count = Math.ceil(body.length / 10_000);
  const all = Array.from({ length: count }, (_, i) => body.subarray(i * 10_000, (i + 1) * 10_000));
  return Readable.from(all, { objectMode: false });
}

const held = 128 * 1024;

const beside = 4 * 2 ** 20;

test.each([0, 1, held, held + 1, 5 * held, beside, beside + 1, 5 * beside])(
  '%i bytes are stored and hashed as they are',
  async (bytes) => {
    const body = randomBytes(bytes);
    const fingerprints = await store(storage, 'documents/a', pieces(body), { maxBytes: 2 ** 25 });
    expect(fingerprints).toEqual({
      bytes,
      md5: hex('md5', body),
      sha1: hex('sha1', body),
      sha256: hex('sha256', body),
    });
    expect((await buffer(await storage.get('documents/a'))).equals(body)).toBe(true);
  },
);

test.each([1000, 2 * held, 2 * beside])('%i bytes too many are refused', async (maxBytes) => {
  const storing = store(storage, 'documents/large', pieces(randomBytes(maxBytes + 1)), {
    maxBytes,
  });
  await expect(storing).rejects.toThrow(/larger than/);
  expect(await storage.head('documents/large')).toBeUndefined();
});

test.each([1000, 2 * held, 2 * beside])(
  'a signal ends the wait for more than %i bytes',
  async (bytes) => {
    const stop = new AbortController();
    const body = new PassThrough();
    body.write(randomBytes(bytes));
    const storing = store(storage, 'documents/cut', body, {
      maxBytes: 2 ** 25,
      signal: stop.signal,
    });
    stop.abort(new Error('the sender went away'));
    await expect(storing).rejects.toThrow();
    expect(await storage.head('documents/cut')).toBeUndefined();
  },
);
