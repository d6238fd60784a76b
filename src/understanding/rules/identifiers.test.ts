import { expect, test } from 'vitest';
import { typeset } from '../../../test/kit/pages.ts';
import { readLayout } from '../layout/layout-reading.ts';
import { findInvoiceNumber } from './identifiers.ts';

const numberIn = (text: string) => findInvoiceNumber(readLayout({ pages: [typeset(text)] }))?.value;

test('an amount is no number of an invoice', () => {
  expect(numberIn('Factura\nTotal factura 1.206,39 EUR')).toBeUndefined();
});

test('a mark makes a label of a heading', () => {
  expect(numberIn('Invoice #       Date\n25/485          18 February 2025')).toBe('25/485');
});

test('of several labels in a line the one with a number counts', () => {
  expect(numberIn('Handelsrechnung (380) Nr. 47110815 vom 01.12.2025 - RECHNUNG')).toBe('47110815');
});

test.each(['n°', 'no', 'na', 'n'])(
  'the sign of a number that was recognised may be misread: %s',
  (sign) => {
    expect(numberIn(`Imprimerie SARL\nThéâtre du Vieux Chêne  Facture ${sign}  F2026-0093`)).toBe(
      'F2026-0093',
    );
  },
);
