import { expect, test } from 'vitest';
import { plain, transcriptionOf, typeset } from '../../../test/kit/pages.ts';
import { averageConfidence, splitCells, toEvidence, toLines } from './line.ts';

test('words become lines, wide gaps stay visible', () => {
  const lines = toLines(transcriptionOf(typeset('ACME GmbH            Invoice 7\nWeg 1')));
  expect(lines.map(({ text }) => text)).toEqual(['ACME GmbH  Invoice 7', 'Weg 1']);
  expect(lines[0] && splitCells(lines[0]).map(({ text }) => text)).toEqual([
    'ACME GmbH',
    'Invoice 7',
  ]);
});

test('a row that sinks across the page stays whole', () => {
  const page = typeset('TOTAL TO PAY                  42.40\nCASH HANDED OVER              50.00');
  const words = page.words.map((word) => {
    const sink = word.box[0] / 20;
    const [left, top, right, bottom] = word.box;
    return { ...word, box: [left, top + sink, right, bottom + sink] as typeof word.box };
  });
  expect(toLines({ pages: [{ ...page, words }] }).map(({ text }) => text)).toEqual([
    'TOTAL TO PAY  42.40',
    'CASH HANDED OVER  50.00',
  ]);
});

test('a span knows its box, text and how sure the reader was', () => {
  const page = typeset('TOTAL    42.40');
  const words = page.words.map((word, i) => ({ ...word, confidence: i === 1 ? 0.4 : 0.9 }));
  const [line] = toLines({ pages: [{ ...page, words }] });
  if (!line) throw new Error('no line');
  const span = { start: line.text.indexOf('42'), end: line.text.length };
  expect(toEvidence(line, span)).toEqual({ page: 1, box: [90, 0, 140, 20], text: '42.40' });
  expect(averageConfidence(line, span)).toBe(0.4);
});

test('pages of plain text have lines without boxes', () => {
  const lines = toLines(transcriptionOf(plain('one\n\n  two\tthree')));
  expect(lines.map(({ text, box }) => [text, box])).toEqual([
    ['one', undefined],
    ['  two  three', undefined],
  ]);
});
