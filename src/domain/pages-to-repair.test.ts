import { expect, test } from 'vitest';
import { type Page, pagesToRepair } from './transcription.ts';

const page = (number: number, score: number, native = false): Page => ({
  number,
  width: 1,
  height: 1,
  text: '',
  words: [],
  quality: { score, defects: ['noisy'] },
  native,
});

test('names what is wrong with pages that were seen and read badly, and leaves the rest out', () => {
  expect(pagesToRepair([page(1, 0.5), page(2, 0.9), page(3, 0.5, true)], 0.7)).toEqual([
    { number: 1, defects: ['noisy'] },
  ]);
});
