import { expect, test } from 'vitest';
import { toRelativeBox } from './relative-box.ts';

test('a box in fractions of its page', () => {
  expect(toRelativeBox([10, 50, 20, 100], { width: 100, height: 200 })).toEqual([
    0.1, 0.25, 0.2, 0.5,
  ]);
});

test('what stands out over the edge is cut off there', () => {
  expect(toRelativeBox([-1, 0, 101, 3], { width: 100, height: 3 })).toEqual([0, 0, 1, 1]);
});

test('a page without a size has no fractions', () => {
  expect(toRelativeBox([0, 0, 1, 1], { width: 0, height: 0 })).toBeUndefined();
});
