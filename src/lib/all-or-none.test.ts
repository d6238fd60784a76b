import { once } from 'node:events';
import { expect, test } from 'vitest';
import { allOrNone } from './all-or-none.ts';

const calm = new AbortController().signal;
const untilStopped = async (signal: AbortSignal) => {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
};

test('gives the results in order', async () => {
  expect(await allOrNone([async () => 1, async () => 2], calm)).toEqual([1, 2]);
});

test('the first failure stops the others and is the one thrown', async () => {
  const failing = async () => {
    throw new Error('first');
  };
  await expect(allOrNone([untilStopped, failing, untilStopped], calm)).rejects.toThrow('first');
});

test('stops when told to', async () => {
  const controller = new AbortController();
  const running = allOrNone([untilStopped], controller.signal);
  controller.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
});
