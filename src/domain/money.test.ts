import { expect, test } from 'vitest';
import { dollars, inDollars, toDollars, toMicros } from './money.ts';

test.each([
  [0, '$0.00'],
  [12_500_000, '$12.50'],
  [1_234_567, '$1.234567'],
  [1_500, '$0.0015'],
  [100_000_000, '$100.00'],
])('%i millionths are %s', (micros, text) => {
  expect(inDollars(micros)).toBe(text);
  expect(toMicros(toDollars(micros))).toBe(micros);
});

test.each([
  [1.234567, true],
  [0.1 + 0.2, false],
  [0.0000001, false],
  [-1, false],
])('%d is an amount: %s', (amount, isAmount) => {
  expect(dollars.safeParse(amount).success).toBe(isAmount);
});
