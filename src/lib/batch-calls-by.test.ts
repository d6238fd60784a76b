import { expect, test } from 'vitest';
import { batchCallsBy } from './batch-calls.ts';

test('calls of one key go together, and those of another do not wait for them', async () => {
  const batches: string[][] = [];
  let free = (): void => undefined;
  const stuck = new Promise<void>((resolve) => {
    free = resolve;
  });
  const call = batchCallsBy(
    (item: string) => item.slice(0, 1),
    async (items) => {
      batches.push(items);
      if (items.includes('a1')) await stuck;
      return items;
    },
    { most: 10, inFlight: 1 },
  );
  const together = Promise.all(['a1', 'a2'].map(call));
  expect(await call('b1')).toBe('b1');
  const later = Promise.all(['a3', 'a4'].map(call));
  free();
  expect([await together, await later]).toEqual([
    ['a1', 'a2'],
    ['a3', 'a4'],
  ]);
  expect(batches).toEqual([['a1', 'a2'], ['b1'], ['a3', 'a4']]);
});
