import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test.each([
  ['plain', '"plain"'],
  ['say "hi", twice', '"say ""hi"", twice"'],
  ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ['  +1', `"'  +1"`],
  ['-2+3', `"'-2+3"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\tcmd', `"'\tcmd"`],
  ['\uff1d1+1', `"'\uff1d1+1"`],
  ['\uff0b1', `"'\uff0b1"`],
  ['\uff20SUM(A1)', `"'\uff20SUM(A1)"`],
  [null, '""'],
])('%j is written %s', (cell, expected) => {
  expect(csvLine([cell])).toBe(`${expected}\r\n`);
});
