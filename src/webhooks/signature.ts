import { createHmac, randomBytes } from 'node:crypto';

/** Standard Webhooks 1.0: `v1,` and the base64 HMAC-SHA256 of id, timestamp and body. */
const prefix = 'whsec_';

export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

export interface Signed {
  id: string;
  /** Unix time in seconds. */
  timestamp: number;
  body: string;
}

/** One signature per secret, separated by spaces: during a rotation receivers may know either. */
export function sign(secrets: readonly string[], message: Signed): string {
  return secrets.map((secret) => `v1,${mac(secret, message)}`).join(' ');
}

function mac(secret: string, { id, timestamp, body }: Signed): string {
  if (!secret.startsWith(prefix)) throw new Error(`A webhook secret must start with ${prefix}`);
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
}
