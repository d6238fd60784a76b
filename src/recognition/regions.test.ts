import { expect, test } from 'vitest';
import { findRegions } from './regions.ts';

test('areas of text become rectangles, grown to whole glyphs; faint and tiny ones do not', () => {
  const [width, height] = [60, 40];
  const data = new Float32Array(width * height);
  const paint = (left: number, top: number, right: number, bottom: number, value: number) => {
    for (let y = top; y < bottom; y += 1) data.fill(value, y * width + left, y * width + right);
  };
  paint(10, 10, 50, 14, 0.9);
  paint(10, 25, 50, 29, 0.4);
  paint(2, 35, 4, 36, 0.9);
  const regions = findRegions({ data, width, height });
  expect(regions).toHaveLength(1);
  expect(regions[0]?.centre).toEqual([30, 12]);
  expect(Math.min(regions[0]?.length ?? 0, regions[0]?.breadth ?? 0)).toBeCloseTo(
    4 + (40 * 4 * 1.6) / 44,
  );
});

test('large type gets more of what stands above and below it; small type has enough', () => {
  const [width, height] = [400, 200];
  const lineOf = (thickness: number) => {
    const data = new Float32Array(width * height);
    for (let y = 80; y < 80 + thickness; y += 1) data.fill(0.9, y * width + 10, y * width + 390);
    const [region] = findRegions({ data, width, height });
    const grown = thickness + (380 * thickness * 1.6) / (380 + thickness);
    return Math.min(region?.length ?? 0, region?.breadth ?? 0) / grown;
  };
  expect(lineOf(8)).toBe(1);
  expect(lineOf(16)).toBeCloseTo(1.16, 1);
});
