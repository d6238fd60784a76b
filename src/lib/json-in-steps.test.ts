import { expect, test } from 'vitest';
import { jsonInSteps } from './json-in-steps.ts';

test.each([
  [{ source: 'a/1', value: { pages: [{ text: 'x', words: [{ box: [1, 2] }] }, {}], none: [] } }],
  [{ at: new Date(0), gone: undefined, nothing: null, list: [undefined, 1, 'ü', [[]]] }],
  [[1, { a: [1, 2] }]],
  ['text'],
])('writes the same JSON as JSON.stringify: %j', async (value) => {
  expect(await jsonInSteps(value)).toBe(JSON.stringify(value));
});

test('lets other work run in between', async () => {
  const value = { pages: Array.from({ length: 400 }, () => ({ text: 'x'.repeat(200_000) })) };
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  await jsonInSteps(value);
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(2);
});
