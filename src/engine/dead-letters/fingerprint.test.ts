import { expect, test } from 'vitest';
import { fingerprint } from './fingerprint.ts';

test('failures that differ only in their document share a fingerprint', () => {
  const one = fingerprint(
    'transcribe',
    'INTERNAL',
    'Cannot read "a.pdf" at /tmp/x1/original, page 3 of 0192b3f4-aaaa-7bbb-8ccc-0123456789ab',
  );
  const two = fingerprint(
    'transcribe',
    'INTERNAL',
    'Cannot read "b c.pdf" at /tmp/y2/original, page 12 of 0192b3f4-ffff-7bbb-8ccc-0123456789ff',
  );
  expect(one).toBe(two);
});

test('failures of different media types are different kinds', () => {
  const of = (type: string) => fingerprint('claim', 'UNSUPPORTED_TYPE', `${type} is not supported`);
  expect(of('application/x-msdownload')).not.toBe(of('application/vnd.visio'));
  expect(of('image/svg+xml')).not.toBe(of('image/svg'));
});

test.each([
  ['extract', 'INTERNAL', 'Cannot read'],
  ['transcribe', 'TOO_SLOW', 'Cannot read'],
  ['transcribe', 'INTERNAL', 'Cannot write'],
])('another stage, code or message is another kind: %s %s %s', (stage, code, message) => {
  expect(fingerprint(stage, code, message)).not.toBe(
    fingerprint('transcribe', 'INTERNAL', 'Cannot read'),
  );
});
