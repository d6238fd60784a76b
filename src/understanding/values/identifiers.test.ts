import { describe, expect, test } from 'vitest';
import { withinEdits } from '../../lib/edit-distance.ts';
import { fold } from '../../lib/fold.ts';
import { isCurrency, parseCurrency } from './currency.ts';
import { findIbans, isIban } from './iban.ts';
import { findVatIds, judgeVatId } from './vat-id.ts';

describe('IBAN', () => {
  test.each([
    'DE89 3704 0044 0532 0130 00',
    'GB82WEST12345698765432',
    'FR1420041010050500013M02606',
    'NO9386011117947',
  ])('%s holds', (iban) => expect(isIban(iban)).toBe(true));

  test.each(['DE89 3704 0044 0532 0130 01', 'DE8937040044053201300', 'XX8937040044053201300', ''])(
    '%s does not',
    (iban) => expect(isIban(iban)).toBe(false),
  );

  test('is found in running text and ends where its country says', () => {
    const text = 'IBAN: DE89 3704 0044 0532 0130 00 BIC COBADEFF';
    expect(findIbans(text)).toEqual([{ value: 'DE89370400440532013000', start: 6, end: 33 }]);
  });
});

describe('VAT id', () => {
  test.each([
    ['DE136695976', 'valid'],
    ['DE123456789', 'wrong'],
    ['FR40303265045', 'valid'],
    ['FR41303265045', 'wrong'],
    ['IT00743110157', 'valid'],
    ['BE0411905847', 'valid'],
    ['PL5260001246', 'valid'],
    ['ATU12345678', 'valid'],
    ['NL820098395B01', 'valid'],
    ['DE12', 'wrong'],
    ['000670224384', 'unknown'],
    ['MY12345', 'unknown'],
  ])('%s is %s', (id, verdict) => expect(judgeVatId(id)).toBe(verdict));

  test('is found with its spaces', () => {
    expect(findVatIds('USt-IdNr.: DE 136 695 976')[0]?.value).toBe('DE136695976');
  });
});

test('currencies by symbol and code', () => {
  expect(parseCurrency('€')).toBe('EUR');
  expect(parseCurrency('RM')).toBe('MYR');
  expect(parseCurrency('CHF')).toBe('CHF');
  expect(parseCurrency('PCS')).toBeUndefined();
  expect(isCurrency('EUR')).toBe(true);
  expect(isCurrency('XYZ')).toBe(false);
});

test.each([
  ['total', 'total', 0, true],
  ['total', 'tota', 1, true],
  ['total', 'totaal', 1, true],
  ['total', 'tctal', 1, true],
  ['total', 'local', 1, false],
  ['total', 'totally', 1, false],
  ['zwischensumme', 'zwischenzumma', 2, true],
  ['inclusive', 'exclusive', 1, false],
])('%s and %s are within %i edits: %s', (a, b, limit, near) =>
  expect(withinEdits(a, b, limit)).toBe(near),
);

test('folding forgets case, accents, punctuation and white space', () => {
  expect(fold(' Café-Straße,  No.1 ')).toBe(fold('CAFE STRASSE NO 1'));
});
