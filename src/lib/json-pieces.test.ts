import { expect, test } from 'vitest';
import { jsonPieces } from './json-pieces.ts';

test.each([
  [{ source: 'a/1', value: { pages: [{ text: 'x', words: [{ box: [1, 2] }] }, {}], none: [] } }],
  [
    {
      gone: undefined,
      nothing: null,
      list: [undefined, 1, 'ü', [[]]],
      empty: {},
      deep: [[[[[[1]]]]]],
    },
  ],
  [{ text: 'a"\n\u0001😀'.repeat(40_000) }],
  [{ text: `x${'😀'.repeat(70_000)}` }],
  ['text'],
  [[]],
])('gives the same JSON as JSON.stringify', (value) => {
  expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value));
});

test('keeps pieces short, whatever is long', () => {
  const value = { text: 'x'.repeat(3_000_000), list: Array.from({ length: 100_000 }, (_, i) => i) };
  const lengths = [...jsonPieces(value)].map(({ length }) => length);
  expect(Math.max(...lengths)).toBeLessThan(200_000);
});
