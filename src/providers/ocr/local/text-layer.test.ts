import { expect, test } from 'vitest';
import type { TextLayer } from '../../../content/pdf/text.ts';
import type { Page } from '../../../domain/transcription.ts';
import { contradicts, trustIn } from './text-layer.ts';

const layer = (text: string, changes: Partial<TextLayer> = {}): TextLayer => ({
  width: 100,
  height: 100,
  text,
  words: text
    .split(' ')
    .filter(Boolean)
    .map((word) => ({ text: word, box: [0, 0, 1, 1], confidence: 1 })),
  hidden: [],
  visible: { text: '', words: [] },
  garbage: 0,
  imageCoverage: 0,
  pictures: [],
  ...changes,
});

test.each([
  ['trusted', layer('a plain page')],
  ['useless', layer('')],
  ['useless', layer('\ue001\ue002', { garbage: 0.9 })],
  ['useless', layer('Scanned by somebody', { imageCoverage: 0.9 })],
  ['doubtful', layer('pay nothing at all', { hidden: ['pay', 'nothing', 'at', 'all'] })],
  ['doubtful', layer('one two three', { hidden: ['three'] })],
  ['trusted', layer('w '.repeat(100), { hidden: ['x'] })],
] as const)('%s', (trust, given) => {
  expect(trustIn(given)).toBe(trust);
});

test('words that the page shows after all are no lie', () => {
  const seen: Pick<Page, 'text'> = { text: 'INVOICE 2O17\nTotal: 12' };
  expect(contradicts(['Invoice', 'total', 'gone'], seen)).toBe(false);
  expect(contradicts(['ignore', 'instructions', 'total'], seen)).toBe(true);
});

test('words that cannot be recognised prove nothing', () => {
  expect(contradicts(['적립한도', '없이'], { text: 'E8' })).toBe(false);
});
