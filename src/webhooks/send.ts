import type { Webhook } from '../db/webhooks.ts';
import { describeError } from '../lib/describe-error.ts';
import { SECOND } from '../lib/time.ts';
import { OutgoingError } from '../outgoing/outgoing-error.ts';
import type { Resources } from '../resources.ts';
import { version } from '../version.ts';
import { type Judgement, judge } from './judge.ts';
import { sign } from './signature.ts';

const timeoutMs = 15 * SECOND;

/** Sends one signed message. Failures of the endpoint are returned, never thrown. */
export async function send(
  { outgoing, seal }: Pick<Resources, 'outgoing' | 'seal'>,
  { url, secret, previousSecret, previousUntil }: Webhook,
  { id, body, traceparent: parent }: { id: string; body: string; traceparent?: string | null },
): Promise<Judgement> {
  const rotating = previousSecret && previousUntil && previousUntil.getTime() > Date.now();
  const secrets = [secret, ...(rotating ? [previousSecret] : [])].map(seal.open);
  const timestamp = Math.floor(Date.now() / SECOND);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': `Millrace/${version}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(secrets, { id, timestamp, body }),
  };
  try {
    return judge(await outgoing.send({ method: 'POST', url, headers, body, timeoutMs, parent }));
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    return { kind: 'failed', reason: describeError(error) };
  }
}
