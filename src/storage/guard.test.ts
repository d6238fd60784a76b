import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Fault } from '../../test/kit/s3-server/faults.ts';
import { type S3Server, s3SettingsOf, startS3Server } from '../../test/kit/s3-server.ts';
import { NotFoundError, StorageRefusedError, StorageUnavailableError } from '../errors.ts';
import { guardStorage } from './guard.ts';
import { openStorage } from './index.ts';
import { type Storage, unbroken } from './storage.ts';

const bytes = Buffer.from('some bytes');

/** Every call that needs storage to answer. */
const calls: Record<string, (storage: Storage) => Promise<unknown>> = {
  put: (storage) => storage.put('another/object', bytes),
  get: (storage) => storage.get('an/object').then(buffer),
  head: (storage) => storage.head('an/object'),
  remove: (storage) => storage.remove('another/object'),
  list: async (storage) => {
    for await (const _ of storage.list('an/')) return;
  },
};
const names = Object.keys(calls);
const call = (name: string, storage: Storage) => calls[name]?.(storage);

describe('a bucket', () => {
  let server: S3Server;
  let storage: Storage;
  beforeAll(async () => {
    server = await startS3Server();
    const settings = s3SettingsOf(server);
    storage = await openStorage({ kind: 's3', ...settings, timeoutMs: 400, stallMs: 100 });
    await storage.put('an/object', bytes);
    return async () => {
      await storage.close();
      await server.stop();
    };
  });
  const strikeOften = (fault: Fault) => {
    for (let i = 0; i < 4; i++) server.faults.plan(fault);
  };

  test.each(names)(
    'that refuses connections is unavailable, and then works again: %s',
    async (name) => {
      await server.stop();
      await expect(call(name, storage)).rejects.toThrow(StorageUnavailableError);
      await server.start();
      await call(name, storage);
    },
  );

  test.each(['slow-down', 'error', 'reset', 'silent'] as const)(
    'that answers every try with %s is unavailable',
    async (fault) => {
      strikeOften(fault);
      await expect(storage.head('an/object')).rejects.toThrow(StorageUnavailableError);
      expect(await storage.head('an/object')).toMatchObject({ bytes: bytes.length });
    },
  );

  test.each(['truncate', 'stall'] as const)(
    'that breaks off with %s is unavailable',
    async (fault) => {
      server.faults.plan(fault);
      const failed = vi.fn();
      const stream = await storage.get('an/object');
      stream.on('error', failed);
      await expect(buffer(stream)).rejects.toThrow(StorageUnavailableError);
      expect(failed).toHaveBeenCalledExactlyOnceWith(expect.any(StorageUnavailableError));
    },
  );

  test.each(names)('that denies access is a matter of its setup: %s', async (name) => {
    server.faults.plan('denied');
    await expect(call(name, storage)).rejects.toMatchObject({
      constructor: StorageRefusedError,
      hint: expect.stringContaining('s3:GetObject'),
    });
  });

  test('without the object says so', async () => {
    await expect(storage.get('no/object')).rejects.toThrow(NotFoundError);
    expect(await storage.head('no/object')).toBeUndefined();
  });

  test('that does not exist is a matter of its setup', async () => {
    const settings = { ...s3SettingsOf(server), bucket: 'elsewhere' };
    const other = await openStorage({ kind: 's3', ...settings });
    await expect(other.get('an/object')).rejects.toThrow(StorageRefusedError);
    await other.close();
  });

  test('whose caller gives up is not unavailable', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(storage.put('aborted', bytes, { signal })).rejects.toThrow('enough');
  });
});

describe('a directory', () => {
  let directory: string;
  let storage: Storage;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'millrace-storage-'));
    storage = await openStorage({ kind: 'files', directory });
    await storage.put('an/object', bytes);
    return () => rm(directory, { recursive: true });
  });

  /** The mount point of a volume that was unmounted is an empty directory. */
  async function unmount() {
    const aside = `${directory}-aside`;
    for (const name of ['objects', 'incoming'])
      await rename(join(directory, name), `${aside}-${name}`);
    return async () => {
      for (const name of ['objects', 'incoming'])
        await rename(`${aside}-${name}`, join(directory, name));
    };
  }

  test.each(['put', 'get', 'head'])(
    'whose volume is not mounted is unavailable, and then works again: %s',
    async (name) => {
      const mount = await unmount();
      await expect(call(name, storage)).rejects.toThrow(StorageUnavailableError);
      await mount();
      await call(name, storage);
    },
  );

  test('whose volume vanishes during a put is not created anew underneath', async () => {
    const objects = join(directory, 'objects');
    await rename(objects, `${objects}-aside`);
    await expect(storage.put('new/directory/object', bytes)).rejects.toThrow(
      StorageUnavailableError,
    );
    await rename(`${objects}-aside`, objects);
    expect(await storage.head('an/object')).toBeDefined();
  });

  test.skipIf(process.getuid?.() === 0)('that denies access is a matter of its setup', async () => {
    await chmod(join(directory, 'incoming'), 0o500);
    onTestFinished(() => chmod(join(directory, 'incoming'), 0o700));
    await expect(call('put', storage)).rejects.toThrow(StorageRefusedError);
  });
});

test('storage that hangs is unavailable', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const hanging = { head: () => new Promise(() => undefined) } as unknown as Storage;
  const storage = guardStorage(hanging, { translate: (error) => error, breaker: unbroken });
  const asked = expect(storage.head('an/object')).rejects.toThrow(StorageUnavailableError);
  await vi.advanceTimersByTimeAsync(30_000);
  await asked;
});
