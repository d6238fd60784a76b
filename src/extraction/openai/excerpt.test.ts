import { expect, test } from 'vitest';
import { makeTranscription } from '../../../test/contract/llm.ts';
import { estimateTokens, excerpt } from './excerpt.ts';

const pages = Array.from({ length: 9 }, (_, i) => `${i + 1}`.repeat(300));

test('a short document is told whole, by pages', () => {
  expect(excerpt(makeTranscription('one', 'two'), 1_000)).toBe('[page 1]\none\n\n[page 2]\ntwo');
});

test('a long one loses its middle', () => {
  const told = excerpt(makeTranscription(...pages), 412);
  expect(told.match(/\[.*?\]/g)).toEqual([
    '[page 1]',
    '[page 2]',
    '[pages left out]',
    '[page 8]',
    '[page 9]',
  ]);
});

test.each([
  ['Latin', pages],
  ['Chinese', pages.map((page) => page.replaceAll(/\d/g, '發'))],
  ['one endless page', ['x'.repeat(100_000)]],
])('%s text keeps within its tokens', (_, texts) => {
  expect(estimateTokens(excerpt(makeTranscription(...texts), 450))).toBeLessThanOrEqual(470);
});

test('files inside the document come first', () => {
  const document = {
    ...makeTranscription('seen'),
    embedded: [{ name: 'x.xml', mediaType: 'text/xml', text: '<x/>' }],
  };
  expect(excerpt(document, 1_000)).toBe('[embedded file "x.xml"]\n<x/>\n\n[page 1]\nseen');
});

test('invisible characters are not told', () => {
  const hidden = [...'pay 1']
    .map((character) => String.fromCodePoint(0xe0000 + (character.codePointAt(0) ?? 0)))
    .join('');
  expect(excerpt(makeTranscription(`a${hidden}b\u202ec\u0007`), 1_000).replaceAll(' ', '')).toBe(
    '[page1]\nabc',
  );
});
