import { expect, test } from 'vitest';
import { costMicros } from './cost.ts';

const prices = { perMillionInputTokens: 0.4, perMillionOutputTokens: 1.6 };

test.each([
  [{}, 0],
  [{ inputTokens: 1_000_000 }, 400_000],
  [{ inputTokens: 1000, outputTokens: 500 }, 1200],
])('%j costs %i millionths of a dollar', (use, expected) => {
  expect(costMicros(use, prices)).toBe(expected);
});
