import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../lib/time.ts';
import { Attempts } from './attempts.ts';

test('after a few failures in the window one waits until the first is forgotten', () => {
  let clock = 1000;
  const attempts = new Attempts({ most: 2, now: () => clock });
  attempts.fail('a');
  clock += 10 * SECOND;
  attempts.fail('a');
  expect(attempts.waitOf('a')).toBe(50);
  expect(attempts.waitOf('b')).toBe(0);
  clock += MINUTE;
  expect(attempts.waitOf('a')).toBe(0);
});

test('success wipes the slate', () => {
  const attempts = new Attempts({ most: 1 });
  attempts.fail('a');
  attempts.succeed('a');
  expect(attempts.waitOf('a')).toBe(0);
});

test('memory is bounded: the oldest address is forgotten first', () => {
  const attempts = new Attempts({ most: 1, addresses: 2 });
  for (const address of ['a', 'b', 'c']) attempts.fail(address);
  expect(['a', 'b', 'c'].map((address) => attempts.waitOf(address) > 0)).toEqual([false, true, true]);
});
