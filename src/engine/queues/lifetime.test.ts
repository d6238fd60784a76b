import { expect, test } from 'vitest';
import { openLifetime } from './lifetime.ts';

const megabyte = 2 ** 20;

test('a process is used up by heavy work, large tasks counting five times', async () => {
  const lifetime = openLifetime({ budget: 7, memoryMb: undefined });
  lifetime.spend('large');
  lifetime.spend('small');
  lifetime.spend(undefined);
  expect(lifetime.reason).toBeUndefined();
  lifetime.spend('small');
  expect(lifetime.reason).toBe('lifetime');
  expect(await lifetime.over).toBe('lifetime');
});

test('a process whose memory has grown over its mark is used up with its next task', async () => {
  let rss = 100 * megabyte;
  const lifetime = openLifetime({ budget: 0, memoryMb: 100, rss: () => rss });
  lifetime.spend('small');
  expect(lifetime.reason).toBeUndefined();
  rss += 1;
  lifetime.spend(undefined);
  expect(await lifetime.over).toBe('memory');
});

test('no budget is any number of tasks', () => {
  const lifetime = openLifetime({ budget: 0, memoryMb: undefined });
  for (let i = 0; i < 1000; i++) lifetime.spend('large');
  expect(lifetime.reason).toBeUndefined();
});
