import { expect, test } from 'vitest';
import { convexHull, type Point, smallestRectangle, toCorners } from './geometry.ts';

test('the hull of points is their outline', () => {
  const inner: Point[] = [
    [0, 0],
    [4, 0],
    [2, 1],
    [4, 2],
    [0, 2],
    [1, 1],
  ];
  expect(convexHull(inner).toSorted()).toEqual([
    [0, 0],
    [0, 2],
    [4, 0],
    [4, 2],
  ]);
});

test('finds a leaning rectangle again', () => {
  const [cos, sin] = [Math.cos(0.1), Math.sin(0.1)];
  const lean = ([x, y]: Point): Point => [50 + x * cos - y * sin, 50 + x * sin + y * cos];
  const corners = (
    [
      [-20, -5],
      [20, -5],
      [20, 5],
      [-20, 5],
    ] satisfies Point[]
  ).map((point) => lean(point));
  const found = smallestRectangle(convexHull([...corners]));
  expect(found).toBeDefined();
  if (!found) return;
  for (const [i, [x, y]] of toCorners(found).entries()) {
    expect(x).toBeCloseTo(corners[i]?.[0] ?? 0);
    expect(y).toBeCloseTo(corners[i]?.[1] ?? 0);
  }
});
