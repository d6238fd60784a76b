import { describe, expect, test } from 'vitest';
import { batchCalls } from './batch-calls.ts';

describe('grouped', () => {
  test('sends calls of one turn together, and those that come meanwhile in the next', async () => {
    const batches: number[][] = [];
    const double = batchCalls(
      async (items: number[]) => {
        batches.push(items);
        if (batches.length === 1) later = Promise.all([double(3), double(4)]);
        return items.map((item) => item * 2);
      },
      { most: 10, inFlight: 1 },
    );
    let later: Promise<number[]> | undefined;
    expect(await Promise.all([double(1), double(2)])).toEqual([2, 4]);
    expect(await later).toEqual([6, 8]);
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test('keeps to the size it is given', async () => {
    const sizes: number[] = [];
    const same = batchCalls(
      async (items: number[]) => {
        sizes.push(items.length);
        return items;
      },
      { most: 3, inFlight: 1 },
    );
    await Promise.all([1, 2, 3, 4, 5, 6, 7].map(same));
    expect(sizes).toEqual([3, 3, 1]);
  });

  test('one bad item fails alone', async () => {
    const strict = batchCalls(
      async (items: number[]) => {
        if (items.includes(2)) throw new Error('no twos');
        return items;
      },
      { most: 10, inFlight: 1 },
    );
    const results = await Promise.allSettled([1, 2, 3].map(strict));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
