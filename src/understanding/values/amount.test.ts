import { describe, expect, test } from 'vitest';
import { findAmounts, findDecimalMark, parseAmount } from './amount.ts';

describe('parseAmount', () => {
  test.each([
    ['1.234,56', 1234.56],
    ['1,234.56', 1234.56],
    ['1 234,56', 1234.56],
    ['1\u202f234,56', 1234.56],
    ["1'234.56", 1234.56],
    ['1.234.567,89', 1234567.89],
    ['12,5', 12.5],
    ['1,234', 1234],
    ['1.234', 1234],
    ['.65', 0.65],
    ['42', 42],
    ['-0.02', -0.02],
    ['- 22.00', -22],
    ['31.45-', -31.45],
    ['€ 12.50', 12.5],
    ['12,50 €', 12.5],
    ['RM30.91', 30.91],
    ['RM.50', 0.5],
    ['CHF 1\u2019000.00', 1000],
    ['$-5.00', -5],
    ['2.6500', 2.65],
    ['RM96. 20', 96.2],
  ])('%s is %d', (text, value) => {
    expect(parseAmount(text)).toBe(value);
  });

  test.each(['', 'abc', '12.05.2018', '14:43', 'V001-538524', '1.2.3', '12 apples and 3 pears'])(
    '%s is none',
    (text) => {
      expect(parseAmount(text)).toBeUndefined();
    },
  );

  test('three digits behind the mark of the document are a fraction', () => {
    expect(parseAmount('100.000', '.')).toBe(100);
    expect(parseAmount('100.000', ',')).toBe(100_000);
  });
});

describe('findAmounts', () => {
  test('tells currency, percent and place', () => {
    const text = 'TOTAL 6% GST RM 31.47 S';
    const [rate, total] = findAmounts(text);
    expect(rate).toMatchObject({ value: 6, percent: true });
    expect(total).toMatchObject({ value: 31.47, currency: 'MYR', decimals: 2, percent: false });
    expect(text.slice(total?.start, total?.end)).toBe('RM 31.47');
  });

  test('takes no word before it for a currency', () => {
    expect(findAmounts('TOTAL GST 3.60')[0]).toMatchObject({
      value: 3.6,
      currency: undefined,
      start: 10,
      text: '3.60',
    });
  });

  test('takes no unit for a currency', () => {
    expect(findAmounts('5 PCS')[0]).toMatchObject({ value: 5, currency: undefined, text: '5' });
  });
});

test('the decimal mark is what most amounts use', () => {
  expect(findDecimalMark('1.234,56 and 7,00')).toBe(',');
  expect(findDecimalMark('1,234.56')).toBe('.');
  expect(findDecimalMark('none')).toBeUndefined();
});
