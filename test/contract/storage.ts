import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NotFoundError, UsageError } from '../../src/errors.ts';
import type { Storage } from '../../src/storage/storage.ts';

export interface StorageUnderTest {
  storage: Storage;
  /** The number of unfinished puts that still take up space: temporary files, parts of uploads. */
  leftovers(): Promise<number>;
  stop(): Promise<void>;
}

const MB = 1024 * 1024;
const pattern = createHash('sha512').update('millrace').digest();
const bytes = (length: number) => Buffer.alloc(length, pattern);

/** `length` bytes in chunks, followed by `then` if given. */
async function* chunks(length: number, then?: () => void) {
  for (let left = length; left > 0; left -= 65_537) yield bytes(Math.min(left, 65_537));
  then?.();
}
const whole = async (storage: Storage, key: string) => buffer(await storage.get(key));
const keysOf = async (storage: Storage, prefix: string, after?: string) => {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix, after)) keys.push(key);
  return keys;
};

/** Requirements for every storage adapter. */
export function storageContract(name: string, open: () => Promise<StorageUnderTest>): void {
  describe(`storage contract: ${name}`, () => {
    let test: StorageUnderTest;
    let storage: Storage;
    const folder = `contract/${randomUUID()}`;
    const fresh = () => `${folder}/${randomUUID()}`;
    beforeAll(async () => {
      test = await open();
      storage = test.storage;
    });
    afterAll(async () => {
      for (const key of await keysOf(storage, folder)) await storage.remove(key);
      await test.stop();
    });

    it.each([0, 1, 5 * MB])('gives back the %i bytes of a buffer', async (length) => {
      const key = fresh();
      expect(await storage.put(key, bytes(length))).toBe('stored');
      expect((await whole(storage, key)).equals(bytes(length))).toBe(true);
      expect(await storage.head(key)).toMatchObject({
        key,
        bytes: length,
        modified: expect.any(Date),
      });
    });

    it.each([0, 1, 8 * MB, 17 * MB])('gives back the %i bytes of a stream', async (length) => {
      const key = fresh();
      expect(await storage.put(key, Readable.from(chunks(length), { objectMode: false }))).toBe(
        'stored',
      );
      const sent = await buffer(Readable.from(chunks(length)));
      expect((await whole(storage, key)).equals(sent)).toBe(true);
      expect(await test.leftovers()).toBe(0);
    });

    it('overwrites', async () => {
      const key = fresh();
      await storage.put(key, Buffer.from('a longer first version'));
      expect(await storage.put(key, Buffer.from('second'))).toBe('stored');
      expect((await whole(storage, key)).toString()).toBe('second');
    });

    it('goes on reading what a later put replaced', async () => {
      const key = fresh();
      await storage.put(key, bytes(3 * MB));
      const reader = await storage.get(key);
      await storage.put(key, Buffer.from('new'));
      expect((await buffer(reader)).equals(bytes(3 * MB))).toBe(true);
    });

    it('leaves what is there when asked to', async () => {
      const key = fresh();
      expect(await storage.put(key, Buffer.from('first'), { ifAbsent: true })).toBe('stored');
      expect(await storage.put(key, Buffer.from('second'), { ifAbsent: true })).toBe('exists');
      expect(await storage.put(key, Readable.from(chunks(9 * MB)), { ifAbsent: true })).toBe(
        'exists',
      );
      expect((await whole(storage, key)).toString()).toBe('first');
      expect(await test.leftovers()).toBe(0);
    });

    it.each([10, 9 * MB])(
      'stores exactly one of eight concurrent puts of %i bytes',
      async (length) => {
        const key = fresh();
        const bodies = Array.from({ length: 8 }, () => randomBytes(length));
        const answers = await Promise.all(
          bodies.map((body) => storage.put(key, body, { ifAbsent: true })),
        );
        expect(answers.filter((answer) => answer === 'stored')).toHaveLength(1);
        const winner = bodies[answers.indexOf('stored')];
        expect((await whole(storage, key)).equals(winner ?? Buffer.alloc(0))).toBe(true);
        expect(await test.leftovers()).toBe(0);
      },
    );

    it.each([1, 3 * MB, 12 * MB])(
      'leaves nothing of a put aborted after %i bytes',
      async (length) => {
        const key = fresh();
        const abort = new AbortController();
        const source = Readable.from(endless(length, () => abort.abort(new Error('enough'))));
        await expect(storage.put(key, source, { signal: abort.signal })).rejects.toThrow('enough');
        expect(await storage.head(key)).toBeUndefined();
        expect(await test.leftovers()).toBe(0);
      },
    );

    it('does not begin a put that is aborted already', async () => {
      const key = fresh();
      await expect(
        storage.put(key, bytes(9), { signal: AbortSignal.abort(new Error('late')) }),
      ).rejects.toThrow('late');
      expect(await storage.head(key)).toBeUndefined();
    });

    it.each([1, 3 * MB, 12 * MB])(
      'leaves nothing of a source that fails after %i bytes',
      async (length) => {
        const key = fresh();
        const source = Readable.from(
          chunks(length, () => {
            throw new Error('source broke');
          }),
        );
        await expect(storage.put(key, source)).rejects.toThrow('source broke');
        expect(await storage.head(key)).toBeUndefined();
        expect(await test.leftovers()).toBe(0);
      },
    );

    it('stops a download that is aborted', async () => {
      const key = fresh();
      await storage.put(key, bytes(5 * MB));
      const abort = new AbortController();
      const reader = await storage.get(key, abort.signal);
      const reading = buffer(reader);
      abort.abort();
      await expect(reading).rejects.toThrow(/abort/i);
      expect(reader.destroyed).toBe(true);
    });

    it('removes, also twice', async () => {
      const key = fresh();
      await storage.put(key, Buffer.from('x'));
      await storage.remove(key);
      await storage.remove(key);
      expect(await storage.head(key)).toBeUndefined();
      expect(await keysOf(storage, key)).toEqual([]);
    });

    it('says that a key is missing', async () => {
      await expect(storage.get(fresh())).rejects.toThrow(NotFoundError);
      await expect(storage.get(fresh())).rejects.toThrow(/There is no object contract\//);
      expect(await storage.head(fresh())).toBeUndefined();
    });

    it('lists more than a thousand keys in order', async () => {
      const base = fresh();
      const names = [
        'b',
        'b-1',
        'b.1',
        'b0',
        'a/z',
        'a/b/c',
        ...Array.from({ length: 1050 }, (_, i) => `n/${i}`),
      ];
      const expected = names.map((each) => `${base}/${each}`).sort();
      for (const key of [...expected].reverse()) await storage.put(key, Buffer.from('x'));
      expect(await keysOf(storage, `${base}/`)).toEqual(expected);
      expect(await keysOf(storage, `${base}/b`)).toEqual(
        ['b', 'b-1', 'b.1', 'b0'].map((each) => `${base}/${each}`),
      );
      expect(await keysOf(storage, `${base}/n/104`)).toHaveLength(11);
      expect(await keysOf(storage, `${base}/none/`)).toEqual([]);
      // Listing may start anywhere, whether or not a key or directory exists there.
      for (const after of ['a', 'a/b/c', 'b', 'b-', 'n/1049', 'n/9999'])
        expect(await keysOf(storage, `${base}/`, `${base}/${after}`)).toEqual(
          expected.filter((key) => key > `${base}/${after}`),
        );
    });

    it.each([
      '',
      '/',
      '/etc/passwd',
      '..',
      '../x',
      'a/../../x',
      'a/./b',
      'a//b',
      'a/',
      'a\\b',
      'a b',
      'a\0b',
      'é',
      '%2e%2e/x',
    ])('refuses the key %j', async (key) => {
      await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow(UsageError);
      await expect(storage.get(key)).rejects.toThrow(UsageError);
      await expect(storage.head(key)).rejects.toThrow(UsageError);
      await expect(storage.remove(key)).rejects.toThrow(UsageError);
      await expect(storage.link(key, 'x.pdf', 60)).rejects.toThrow(UsageError);
    });

    it('refuses a key that is too long', async () => {
      await expect(storage.put('x/'.repeat(450).concat('y'), Buffer.from('x'))).rejects.toThrow(
        UsageError,
      );
      await expect(storage.put('x'.repeat(256), Buffer.from('x'))).rejects.toThrow(UsageError);
    });

    it.each(['../', '/', 'a//', 'a/../'])('refuses to list below %j', (prefix) => {
      expect(() => storage.list(prefix)).toThrow(UsageError);
    });

    it('proves that it works and leaves no trace', async () => {
      await storage.check();
      expect(await keysOf(storage, 'checks/')).toEqual([]);
    });
  });
}

/** `length` bytes, then a call, then a wait that only an abort ends. */
async function* endless(length: number, then: () => void) {
  yield* chunks(length);
  setImmediate(then);
  await new Promise(() => {});
}
