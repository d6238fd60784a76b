import { expect, test } from 'vitest';
import { inFlight } from './in-flight.ts';

const never = new AbortController().signal;

async function* numbers(count: number): AsyncGenerator<number> {
  for (let i = 0; i < count; i++) yield i;
}

test('works on so many at a time and no more', async () => {
  let now = 0;
  let most = 0;
  const results = await inFlight(numbers(10), 3, never, async (item) => {
    most = Math.max(most, ++now);
    await new Promise(setImmediate);
    now--;
    return item;
  });
  expect(results.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(most).toBe(3);
});

test('a failure stops the others', async () => {
  const stopped: number[] = [];
  const work = async (item: number, signal: AbortSignal) => {
    if (item === 1) throw new Error('one failed');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    stopped.push(item);
  };
  await expect(inFlight(numbers(10), 3, never, work)).rejects.toThrow('one failed');
  await new Promise(setImmediate);
  expect(stopped.sort()).toEqual([0, 2]);
});

test('a source that fails is a failure', async () => {
  async function* broken(): AsyncGenerator<number> {
    yield 1;
    throw new Error('no more');
  }
  await expect(inFlight(broken(), 2, never, async (item) => item)).rejects.toThrow('no more');
});
