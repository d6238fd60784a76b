import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { computeFingerprints } from './hash.ts';
import { hashBeside } from './hash-beside.ts';

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

test('a thread that ends too early fails whoever waits for it', async () => {
  const beside = hashBeside();
  beside.stop();
  await expect(beside.result()).rejects.toThrow(/exited unexpectedly/);
  await new Promise<void>((resolve) => {
    beside.add([randomBytes(10)], (error) => {
      expect(error?.message).toMatch(/exited unexpectedly/);
      resolve();
    });
  });
});
