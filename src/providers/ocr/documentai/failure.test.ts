import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { BusyError } from '../../../errors.ts';
import { toFailure } from './failure.ts';

test('the wait of a RetryInfo detail is obeyed', () => {
  const statusDetails = [{ reason: 'RATE' }, { retryDelay: { seconds: '12', nanos: 500_000_000 } }];
  const failure = toFailure(Object.assign(new Error('Quota'), { code: 8, statusDetails }));
  expect(failure).toBeInstanceOf(BusyError);
  expect(failure).toMatchObject({ retryAfterMs: 12_500 });
});

test.each([
  [400, 'PermanentError'],
  [401, 'SetupError'],
  [403, 'SetupError'],
  [429, 'BusyError'],
  [500, 'Error'],
  [503, 'Error'],
  [504, 'Error'],
])('HTTP status %i becomes %s', (code, name) => {
  expect(toFailure(Object.assign(new Error('x'), { code }))).toMatchObject({ name });
});

test('an error on the way is tried again, without what was sent', () => {
  const error = Object.assign(new Error('read ECONNRESET'), {
    code: 'ECONNRESET',
    config: { body: 'a secret scan' },
  });
  const failure = toFailure(error);
  expect(failure).toMatchObject({ name: 'Error', message: expect.stringContaining('ECONNRESET') });
  expect(inspect(failure, { depth: 5 })).not.toContain('secret');
});
