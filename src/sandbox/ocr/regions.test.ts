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
  expect(Math.min(regions[0]?.length ?? 0, regions[0]?.breadth ?? 0)).toBeCloseTo(4 + (40 * 4 * 1.6) / 44);
});
