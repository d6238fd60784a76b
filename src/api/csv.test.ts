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
  [null, '""'],
])('%j is written %s', (cell, expected) => {
  expect(csvLine([cell])).toBe(`${expected}\r\n`);
});
