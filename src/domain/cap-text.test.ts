import { expect, test } from 'vitest';
import { capText } from './transcription.ts';

test('leaves short documents as they are', () => {
  const pages = [
    { text: 'abc', words: ['abc'] },
    { text: 'de', words: ['de'] },
  ];
  expect(capText(pages, 5)).toEqual({ pages, truncated: false });
});

test('cuts where the limit is reached, and drops the words of cut pages', () => {
  const pages = ['abc', 'def', 'ghi'].map((text) => ({ text, words: [text] }));
  expect(capText(pages, 4)).toEqual({
    pages: [
      { text: 'abc', words: ['abc'] },
      { text: 'd', words: [] },
      { text: '', words: [] },
    ],
    truncated: true,
  });
});
