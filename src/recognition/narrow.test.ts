import { expect, test } from 'vitest';
import type { Raster } from '../content/image/raster.ts';
import { toCrop } from './crop.ts';
import { narrow } from './narrow.ts';

/** A line 48 pixels high with vertical strokes at the given distance, ink and paper level. */
function strokes({
  apart,
  width = 600,
  ink = 0,
  paper = 255,
}: Record<string, number> & { apart: number }): Raster {
  const data = new Uint8Array(width * 48 * 3);
  for (let i = 0; i < data.length; i += 1)
    data[i] = (Math.floor(i / 3) % width) % apart < 4 ? ink : paper;
  return { data, width, height: 48 };
}

/** Strokes with soft edges. */
function blurred({ apart }: { apart: number }): Raster {
  const page = strokes({ apart });
  const levelAt = (column: number) => 128 + 100 * Math.cos((2 * Math.PI * column) / apart);
  return { ...page, data: page.data.map((_, i) => levelAt(Math.floor(i / 3) % page.width)) };
}

const lineOf = ({ width, height }: Raster) =>
  toCrop([
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ]);

const widthOf = (page: Raster) => narrow(page, lineOf(page)).width;

test('wide letters are made narrower, as far as they may be', () => {
  expect(widthOf(strokes({ apart: 15 }))).toBe(540);
  expect(widthOf(strokes({ apart: 30 }))).toBe(450);
});

test('it is said how much is left of the width', () => {
  const page = strokes({ apart: 15 });
  expect(narrow(page, lineOf(page)).narrowed).toBeCloseTo(540 / 600);
});

test('light letters on dark paper are letters too', () => {
  expect(widthOf(strokes({ apart: 15, ink: 230, paper: 30 }))).toBe(540);
});

test.each([
  ['narrow letters', strokes({ apart: 10 })],
  ['too few to tell', strokes({ apart: 15, width: 90 })],
  ['strokes too blurred to spare a column', blurred({ apart: 20 })],
  ['nothing but paper', strokes({ apart: 15, ink: 240, paper: 250 })],
])('a line with %s stays as it is', (_, page) => {
  expect(narrow(page, lineOf(page))).toEqual(lineOf(page));
});
