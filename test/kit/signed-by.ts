import { Webhook } from 'standardwebhooks';
import type { Received } from './receiver.ts';

/** Verifies the signature of a message with the library that receivers use. */
export function signedBy(secret: string, { headers, body }: Received): boolean {
  try {
    const of = (name: string) => headers[`webhook-${name}`] ?? '';
    const given = {
      'webhook-id': of('id'),
      'webhook-timestamp': of('timestamp'),
      'webhook-signature': of('signature'),
    };
    new Webhook(secret).verify(body, given);
    return true;
  } catch {
    return false;
  }
}
