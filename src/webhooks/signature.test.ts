import { expect, test } from 'vitest';
import { signedBy } from '../../test/kit/signed-by.ts';
import { newWebhookSecret, type Signed, sign } from './signature.ts';

/** Test vector of the reference libraries. */
const vector = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  message: {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const secret = newWebhookSecret();
const message = {
  id: 'msg_1',
  timestamp: Math.floor(Date.now() / 1000),
  body: '{"type":"NOTIFICATION"}',
};

const accepts = (by: string, { id, timestamp, body }: Signed, signature: string): boolean =>
  signedBy(by, {
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    },
    body,
  });

test('signs as the specification does', () => {
  expect(sign([vector.secret], vector.message)).toBe(vector.signature);
  expect(accepts(secret, message, sign([secret], message))).toBe(true);
});

test('signs with both secrets while they change over', () => {
  const other = newWebhookSecret();
  const both = sign([other, secret], message);
  expect([secret, other, newWebhookSecret()].map((each) => accepts(each, message, both))).toEqual([
    true,
    true,
    false,
  ]);
});

test.each([
  ['body', { ...message, body: '{}' }],
  ['time', { ...message, timestamp: message.timestamp + 1 }],
  ['id', { ...message, id: 'msg_2' }],
] as const)('covers the %s', (_, changed) => {
  expect(accepts(secret, changed, sign([secret], message))).toBe(false);
});

test('new secrets hold 32 random bytes', () => {
  expect(Buffer.from(newWebhookSecret().slice('whsec_'.length), 'base64')).toHaveLength(32);
});
