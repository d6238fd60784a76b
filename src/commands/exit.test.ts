import { expect, test } from 'vitest';
import { SetupError } from '../errors.ts';
import { explainError } from './exit.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), {
  code: 'ECONNREFUSED',
});

test('a connection that is refused is that of Postgres only where nobody knows better', () => {
  const known = new SetupError('No server answers', 'Start one.', { cause: refused });
  expect(explainError(known)).toEqual({
    message: 'No server answers',
    hint: 'Start one.',
    expected: true,
  });
  expect(explainError(new Error('Failed query', { cause: refused }))).toMatchObject({
    message: 'Postgres does not answer: connect ECONNREFUSED 127.0.0.1:1',
    hint: expect.stringContaining('DATABASE_URL'),
  });
});

test('what nobody expected is told as it is', () => {
  expect(explainError(new Error('a bug'))).toEqual({
    message: 'a bug',
    hint: undefined,
    expected: false,
  });
});
