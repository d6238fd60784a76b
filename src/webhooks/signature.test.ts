import { expect, test } from 'vitest';
import { newWebhookSecret, sign, verify } from './signature.ts';

/** The vector that the libraries of the specification are tested with. */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

test('signs as the specification does', () => {
  expect(sign([secret], message)).toBe(signature);
  expect(verify(secret, message, signature)).toBe(true);
});

test('signs with both secrets while they change over', () => {
  const other = newWebhookSecret();
  const both = sign([other, secret], message);
  expect(both.split(' ')).toHaveLength(2);
  expect([verify(secret, message, both), verify(other, message, both)]).toEqual([true, true]);
});

test.each([
  ['another secret', newWebhookSecret(), message, signature],
  ['another body', secret, { ...message, body: '{}' }, signature],
  ['another time', secret, { ...message, timestamp: 1_614_265_331 }, signature],
  ['another id', secret, { ...message, id: 'msg_1' }, signature],
  ['another version', secret, message, signature.replace('v1', 'v2')],
  ['nonsense', secret, message, 'v1 , v1,'],
] as const)('is not satisfied with %s', (_, by, of, given) => {
  expect(verify(by, of, given)).toBe(false);
});

test('new secrets hold 32 random bytes', () => {
  expect(Buffer.from(newWebhookSecret().slice('whsec_'.length), 'base64')).toHaveLength(32);
});
