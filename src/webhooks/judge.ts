import { DAY, HOUR, MINUTE, SECOND } from '../lib/time.ts';
import { retryAfterMs } from '../providers/retry-after.ts';

/** What becomes of a message after it was sent. */
export type Judgement =
  | { kind: 'delivered' }
  /** The endpoint asks for a rest: it costs no attempt. */
  | { kind: 'wait'; ms: number; reason: string }
  | { kind: 'failed'; reason: string }
  /** The endpoint wants nothing any more. */
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

/** Waits between attempts: four days in all, so that an endpoint may be down over a long weekend. */
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

/** How long a message may be put off by an endpoint that keeps asking for a rest. */
export const longestWaitMs = 7 * DAY;

/** Undefined when it was tried often enough. */
export function waitAfter(attempts: number): number | undefined {
  const ms = waits[attempts - 1];
  return ms === undefined ? undefined : Math.round(ms * (0.9 + Math.random() * 0.2));
}
