import { expect, test } from 'vitest';
import { plain, transcriptionOf, typeset } from '../../../test/kit/pages.ts';
import type { Page } from '../../domain/transcription.ts';
import { readLayout } from './layout-reading.ts';
import { rankTotals } from './totals.ts';

const rolesOf = (page: Page) =>
  readLayout(transcriptionOf(page)).amounts.flatMap(({ role, amount }) =>
    role ? [[role, amount.value]] : [],
  );
const totalOf = (page: Page) => rankTotals(readLayout(transcriptionOf(page)).amounts)[0]?.value;

test('labels stand to the left, the nearest counts', () => {
  expect(rolesOf(typeset('Items 3      Total      41.50'))).toEqual([['total', 41.5]]);
  expect(rolesOf(typeset('Total Qty: 2      63.50'))).toEqual([['quantity', 63.5]]);
});

test('labels stand above where columns were read one after the other', () => {
  expect(rolesOf(plain('TOTAL\nCASH\nCHANGE\n3.70\n10.00\n6.30'))).toEqual([
    ['total', 3.7],
    ['paid', 10],
    ['change', 6.3],
  ]);
});

test('labels stand side by side over their amounts', () => {
  const page = typeset(
    'Total HT      Total TVA     Total TTC\n  100,00          10,00        110,00',
  );
  expect(rolesOf(page)).toEqual([
    ['subtotal', 100],
    ['tax', 10],
    ['total', 110],
  ]);
});

test('a label of its own wins over one above', () => {
  const page = typeset('Total HT     Total TTC\n  100,00       110,00\nAcompte         10,00');
  expect(rolesOf(page).at(-1)).toEqual(['prepaid', 10]);
});

test('the header of a table of items names no sums', () => {
  expect(
    rolesOf(
      typeset('Description    Price    Total    Tax\nTea             2.00     2.00     0.12'),
    ),
  ).toEqual([]);
});

test.each([
  ['cash less change', 'TEA 9.00\nSUBTOTAL 9.00\nCASH 10.00\nCHANGE 1.00', 9],
  ['subtotal and tax', 'Subtotal 50.00\nGST 3.00\nTotal 53.00', 53],
  [
    'after rounding',
    'Total incl GST 31.47\nRounding -0.02\nTotal 31.45\nCash 50.00\nChange 18.55',
    31.45,
  ],
  ['not the tax summary', 'Total 10.60\nGST Summary\nTotal 10.00 0.60', 10.6],
  ['before a deposit', 'Total TTC 110,00\nAcompte 10,00\nNet à payer 100,00', 110],
  ['not a count', 'Total items 12\nTotal 3.50', 3.5],
])('the total is %s', (_, text, total) => {
  expect(totalOf(typeset(text))).toBe(total);
  expect(totalOf(plain(text))).toBe(total);
});
