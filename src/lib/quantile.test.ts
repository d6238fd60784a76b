import { expect, test } from 'vitest';
import { median, quantile } from './quantile.ts';

test('finds the level of a share', () => {
  const histogram = Uint32Array.from([1, 0, 8, 1]);
  expect([0.1, 0.5, 0.9, 1].map((share) => quantile(histogram, share))).toEqual([0, 2, 2, 3]);
});

test('finds the middle value', () => {
  expect([median([3, 1, 2]), median([])]).toEqual([2, 0]);
});
