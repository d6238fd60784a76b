import { describe, expect, test } from 'vitest';
import { findBareDates, findDates, isAmbiguous, resolveDate } from './date.ts';
import { detectDateOrder } from './date-order.ts';

describe('findDates', () => {
  test.each([
    ['25/12/2018', '2018-12-25'],
    ['12-25-2018', '2018-12-25'],
    ['25.12.18', '2018-12-25'],
    ['2018-12-25', '2018-12-25'],
    ['2018/12/25', '2018-12-25'],
    ['3 mars 2024', '2024-03-03'],
    ['1er août 2024', '2024-08-01'],
    ['3. März 2024', '2024-03-03'],
    ['March 3 2024', '2024-03-03'],
    ['March 3rd, 2024', '2024-03-03'],
    ['24 MAR 18', '2018-03-24'],
    ['24-Mar-2018', '2018-03-24'],
    ['3 de marzo de 2024', '2024-03-03'],
    ['5 Ogos 2018', '2018-08-05'],
    ['24/06/20184:37:37 PM', '2018-06-24'],
    ['DATE: 31/01/99', '1999-01-31'],
    ['06-05-20 18 12:43:19', '2018-05-06'],
    ['28/02/201 8', '2018-02-28'],
    ['06-05-20 18:30', '2020-05-06'],
  ])('%s is %s', (text, value) => {
    const [match] = findDates(text);
    expect(match && resolveDate(match, 'day-first')).toBe(value);
  });

  test.each([
    '31/02/2018',
    '12:46:58',
    '1.2',
    '192.168.1.1',
    '03-77259003',
    '13/13/2013',
    'may 2024',
    '1 2/02/2018',
  ])('%s is none', (text) => {
    expect(findDates(text)).toEqual([]);
  });

  test('keeps both readings of an ambiguous date', () => {
    const [match] = findDates('on 05/01/2018');
    expect(match?.readings).toEqual({ 'day-first': '2018-01-05', 'month-first': '2018-05-01' });
    expect(match && isAmbiguous(match)).toBe(true);
    expect(match && resolveDate(match, undefined)).toBeUndefined();
    expect(match && resolveDate(match, 'month-first')).toBe('2018-05-01');
  });
});

test('bare digits are dates only when asked for', () => {
  expect(findDates('27032018')).toEqual([]);
  expect(findBareDates('27032018')[0]?.readings).toEqual({
    'day-first': '2018-03-27',
    'month-first': undefined,
  });
  expect(findBareDates('20180327')[0]?.readings['day-first']).toBe('2018-03-27');
  expect(findBareDates('000203587584')).toEqual([]);
});

describe('dateOrderOf', () => {
  const order = (text: string, context = {}) => detectDateOrder(findDates(text), context);

  test('other dates decide first', () => {
    expect(order('05/01/2018 25/01/2018', { currency: 'USD' })).toBe('day-first');
    expect(order('05/01/2018 01/25/2018', { currency: 'MYR' })).toBe('month-first');
    expect(order('25/01/2018 01/25/2018')).toBeUndefined();
  });

  test('then currency, then language', () => {
    expect(order('05/01/2018', { currency: 'USD', language: 'en' })).toBe('month-first');
    expect(order('05/01/2018', { currency: 'EUR', language: 'en' })).toBe('day-first');
    expect(order('05/01/2018', { language: 'de' })).toBe('day-first');
    expect(order('05/01/2018', { language: 'en' })).toBeUndefined();
  });
});
