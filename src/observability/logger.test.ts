import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createLogger, errorFacts } from './logger.ts';
import { scrubber } from './scrub.ts';

const scrub = scrubber(['correct horse battery', 'short']);

test.each([
  ['key mr_0123456789ab_abcdefghijklmnopqrstuvwxyz0123456789-_', 'key mr_0123456789ab_[redacted]'],
  ['postgres://me:hunter2@db:5432/x', 'postgres://me:[redacted]@db:5432/x'],
  ['redis://:hunter2@cache/0', 'redis://:[redacted]@cache/0'],
  ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer [redacted]'],
  ['sk-proj-abcdefgh12345', 'sk-[redacted]'],
  [
    'https://s3/x?X-Amz-Signature=0a1b2c&X-Amz-Date=1',
    'https://s3/x?X-Amz-Signature=[redacted]&X-Amz-Date=1',
  ],
  ['pass "correct horse battery" and short', 'pass "[redacted]" and short'],
  [
    'https://example.com/a:b@c is no password? http://host/path',
    'https://example.com/a:b@c is no password? http://host/path',
  ],
])('%s', (text, expected) => {
  expect(scrub(text)).toBe(expected);
});

test('a log holds no secret, whatever is written to it', () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', format: 'json', secrets: ['canary-known'] }, (line) =>
    lines.push(line),
  );
  log.info('the key is canary-known');
  log.info(
    { password: 'canary-named', request: { headers: { authorization: 'canary-header' } } },
    'asked',
  );
  log.warn({ err: Object.assign(new Error('failed'), { response: 'canary-answer' }) }, 'it failed');
  expect(lines).toHaveLength(3);
  expect(lines.join()).toContain('failed');
  expect(lines.join()).not.toContain('canary');
});

test('of a statement that failed no values are written', () => {
  const error = new DrizzleQueryError(
    'update "ingestions" set "x" = $1',
    ['canary'],
    new Error('refused'),
  );
  expect(errorFacts(error)).toMatchObject({
    message: 'Failed query: update "ingestions" set "x" = $1',
    stack: expect.stringContaining('logger.test.ts'),
    cause: { message: 'refused' },
  });
  expect(JSON.stringify(errorFacts(error))).not.toContain('canary');
});

test('of an error only what is known to be harmless is written', () => {
  const cause = new Error('inner');
  const error = Object.assign(new Error('outer', { cause }), {
    code: 'ECONNRESET',
    request: { headers: { authorization: 'canary' } },
    response: 'canary',
  });
  const facts = errorFacts(error);
  expect(facts).toMatchObject({
    name: 'Error',
    message: 'outer',
    code: 'ECONNRESET',
    cause: { message: 'inner' },
  });
  expect(JSON.stringify(facts)).not.toContain('canary');
});
