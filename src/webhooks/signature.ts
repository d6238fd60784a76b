import { createHmac, randomBytes } from 'node:crypto';

/** Standard Webhooks 1.0: `v1,` and the HMAC-SHA256 of id, time and body, in base64. */
const prefix = 'whsec_';

export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

export interface Signed {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
}

/** One signature a secret, separated by spaces: while secrets change over, receivers may know either. */
export function sign(secrets: readonly string[], message: Signed): string {
  return secrets.map((secret) => `v1,${mac(secret, message)}`).join(' ');
}

function mac(secret: string, { id, timestamp, body }: Signed): string {
  if (!secret.startsWith(prefix)) throw new Error(`A webhook secret begins with ${prefix}`);
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
}
