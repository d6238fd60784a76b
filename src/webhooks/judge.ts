import { DAY, HOUR, MINUTE, SECOND } from '../lib/time.ts';
import { retryAfterMs } from '../providers/retry-after.ts';

/** Result of one attempt to send a message. */
export type Judgement =
  | { kind: 'delivered' }
  /** The endpoint is busy. This does not count as an attempt. */
  | { kind: 'wait'; ms: number; reason: string }
  | { kind: 'failed'; reason: string }
  /** The endpoint no longer exists; it gets disabled. */
  | { kind: 'gone'; reason: string };

const busy = [429, 502, 503, 504];

/** Only 2xx is a success; a redirect is not. */
export function judge({
  status,
  header,
}: {
  status: number;
  header(name: string): string | undefined;
}): Judgement {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const reason = `The endpoint answered ${status}`;
  if (status === 410) return { kind: 'gone', reason };
  if (busy.includes(status) && (status === 429 || header('retry-after')))
    return { kind: 'wait', ms: retryAfterMs(header), reason };
  return { kind: 'failed', reason };
}

/** Delays between attempts. Four days in total: an endpoint may be down for a long weekend. */
const waits = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  DAY,
  DAY,
];

/** How long a message may be postponed by an endpoint that stays busy. */
export const longestWaitMs = 7 * DAY;

/** Delay before the next attempt, with jitter; undefined when no attempts are left. */
export function waitAfter(attempts: number): number | undefined {
  const ms = waits[attempts - 1];
  return ms === undefined ? undefined : Math.round(ms * (0.9 + Math.random() * 0.2));
}
