import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { computeFingerprints } from './hash.ts';
import { HashThread, hashBeside } from './hash-beside.ts';

test('more than may wait is hashed in order, also if the next piece comes at once', async () => {
  const chunks = Array.from({ length: 40 }, () => randomBytes(2 ** 20));
  const beside = hashBeside();
  await new Promise<void>((resolve, reject) => {
    const feed = (i: number) => {
      const chunk = chunks[i];
      if (!chunk) return resolve();
      beside.add([chunk], (error) => (error ? reject(error) : feed(i + 1)));
    };
    feed(0);
  });
  expect(await beside.result()).toEqual(computeFingerprints(chunks));
});

test('files that are hashed at the same time do not mix', async () => {
  const files = Array.from({ length: 5 }, () => randomBytes(3 * 2 ** 20));
  const results = files.map(async (bytes) => {
    const beside = hashBeside();
    for (let at = 0; at < bytes.length; at += 2 ** 18)
      beside.add([bytes.subarray(at, at + 2 ** 18)], () => undefined);
    return beside.result();
  });
  const dropped = hashBeside();
  dropped.add([randomBytes(10)], () => undefined);
  dropped.drop();
  expect(await Promise.all(results)).toEqual(files.map((bytes) => computeFingerprints([bytes])));
});

test('a thread that ends too early fails whoever waits for it', async () => {
  const thread = new HashThread();
  const beside = hashBeside(thread);
  thread.stop();
  await expect(beside.result()).rejects.toThrow(/exited unexpectedly/);
  await new Promise<void>((resolve) => {
    beside.add([randomBytes(10)], (error) => {
      expect(error?.message).toMatch(/exited unexpectedly/);
      resolve();
    });
  });
});
