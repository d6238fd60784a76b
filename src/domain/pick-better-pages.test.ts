import { expect, test } from 'vitest';
import { pickBetterPages } from './pick-better-pages.ts';
import type { Page } from './transcription.ts';

const page = (words: [string, number][], changes: Partial<Page> = {}): Page => ({
  number: 1,
  width: 100,
  height: 100,
  text: words.map(([text]) => text).join(' '),
  words: words.map(([text, confidence]) => ({ text, confidence, box: [0, 0, 1, 1] })),
  quality: { score: 0.5, defects: [] },
  native: false,
  ...changes,
});

test.each([
  ['more was read', page([['total', 0.7]]), page([['total', 0.9]]), 'second'],
  [
    'less was read',
    page([
      ['total', 0.9],
      ['amount', 0.9],
      ['payable', 0.9],
    ]),
    page([['total', 0.99]], { quality: { score: 1, defects: [] } }),
    'first',
  ],
  [
    'all is gone',
    page([['total', 0.7]]),
    page([], { quality: { score: 1, defects: [] } }),
    'first',
  ],
  [
    'the text came with the file',
    page([['total', 1]], { native: true }),
    page([
      ['total', 1],
      ['sum', 1],
    ]),
    'first',
  ],
  [
    'only the score differs',
    page([['total', 0.9]]),
    page([['total', 0.9]], { quality: { score: 0.9, defects: [] } }),
    'first',
  ],
  ['hardly more was read', page([['total', 0.9]]), page([['total', 0.902]]), 'first'],
  ['the page is missing', page([['total', 0.7]]), page([['total', 0.9]], { number: 2 }), 'first'],
])('if %s, the %4$s', (_, first, second, winner) => {
  expect(pickBetterPages([first], [second])).toEqual([winner === 'first' ? first : second]);
});
