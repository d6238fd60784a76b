import { expect, test } from 'vitest';
import type { Raster } from '../content/image/raster.ts';
import { typeSize } from './type-size.ts';

const SIZE = 400;

/** A page whose grey level is a function of the position. */
function page(levelAt: (x: number, y: number) => number): Raster {
  const data = new Uint8Array(SIZE * SIZE * 3);
  for (let i = 0; i < SIZE * SIZE; i += 1)
    data.fill(levelAt(i % SIZE, Math.floor(i / SIZE)), i * 3, i * 3 + 3);
  return { data, width: SIZE, height: SIZE };
}

/**
 * Rows of letters of the given height, spaced by the same height. Every second column is a stroke of
 * full height, the others are crossbars.
 */
const printed = (height: number) => (x: number, y: number) => {
  const row = y % (2 * height);
  const isStroke = Math.floor(x / 3) % 2 === 0 ? row < height : row < 3;
  return isStroke ? 20 : 240;
};

test.each([8, 14, 30])('letters %i pixels high are found to be so', (height) => {
  expect(typeSize(page(printed(height)))).toBe(height);
});

test('paper that darkens to one side is no ink', () => {
  const lit = (x: number, y: number) => (printed(14)(x, y) * (500 - x - y / 2)) / 500;
  expect(typeSize(page(lit))).toBe(14);
});

test('rules down the page and pictures are no letters', () => {
  const ruled = (x: number, y: number) => (x % 60 < 6 && y > 50 ? 10 : printed(14)(x, y));
  expect(typeSize(page(ruled))).toBe(14);
});

test('a page with nothing on it does not tell', () => {
  expect(typeSize(page(() => 250))).toBeUndefined();
});
