import { expect, test } from 'vitest';
import { patience, retryAfterMs } from './retry-after.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

test.each<[string, Record<string, string>, number]>([
  ['seconds', { 'retry-after': '7' }, 7_000],
  ['fractions of seconds', { 'retry-after': '1.5' }, 1_500],
  ['milliseconds', { 'retry-after-ms': '2500' }, 2_500],
  ['milliseconds before seconds', { 'retry-after-ms': '2500', 'retry-after': '60' }, 2_500],
  ['milliseconds that are none', { 'retry-after-ms': 'soon', 'retry-after': '60' }, 60_000],
  ['an HTTP date', { 'retry-after': 'Sun, 01 Mar 2026 12:00:20 GMT' }, 20_000],
  [
    'an HTTP date on a clock that is ahead',
    { 'retry-after': 'Sun, 01 Mar 2026 13:00:20 GMT', date: 'Sun, 01 Mar 2026 13:00:00 GMT' },
    20_000,
  ],
  [
    'an HTTP date that has passed',
    { 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' },
    patience.leastMs,
  ],
  ['zero', { 'retry-after': '0' }, patience.leastMs],
  ['less than nothing', { 'retry-after': '-1' }, patience.leastMs],
  ['thirty years', { 'retry-after': '1000000000' }, patience.mostMs],
  ['more digits than a number holds', { 'retry-after': '9'.repeat(400) }, patience.mostMs],
  [
    'an HTTP date in a century',
    { 'retry-after': 'Fri, 01 Mar 2126 12:00:00 GMT' },
    patience.mostMs,
  ],
  ['words', { 'retry-after': 'later, please' }, patience.unaskedMs],
  ['an empty header', { 'retry-after': '' }, patience.unaskedMs],
  ['no header', {}, patience.unaskedMs],
])('%s', (_, headers, expected) => {
  expect(retryAfterMs((name) => headers[name], now)).toBe(expected);
});
