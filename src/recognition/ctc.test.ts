import { expect, test } from 'vitest';
import { decodeCtc } from './ctc.ts';

test('repeats are one character, a blank between them makes two', () => {
  const alphabet = ['', 'a', 'b'];
  const best = [1, 1, 0, 1, 2, 0];
  const data = Float32Array.from(
    best.flatMap((c) => [0, 1, 2].map((other) => (other === c ? 0.75 : 0.125))),
  );
  const glyphs = decodeCtc({ data, steps: best.length, classes: 3 }, alphabet, 4);
  expect(glyphs).toEqual([
    { text: 'a', confidence: 0.75, column: 2 },
    { text: 'a', confidence: 0.75, column: 14 },
    { text: 'b', confidence: 0.75, column: 18 },
  ]);
});
