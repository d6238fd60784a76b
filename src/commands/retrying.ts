import { setTimeout as sleep } from 'node:timers/promises';
import { atMostEvery } from '../lib/at-most-every.ts';
import { backoff } from '../lib/backoff.ts';
import { MINUTE, monotonicNow, SECOND } from '../lib/time.ts';
import { type Call, RetryableError, UnreachableError } from './client.ts';
import { note } from './note.ts';

export const defaultRetryMs = 10 * MINUTE;

/** Before its first answer a server is given the time of a restart: there may be none at all. */
const restartMs = 30 * SECOND;

const pauses = { baseMs: 1 * SECOND, capMs: 15 * SECOND };

/**
 * Repeats calls while the server is away or asks for it. Only for requests that are safe to send
 * twice.
 */
export function retrying(call: Call, forMs = defaultRetryMs): Call {
  let wasReached = false;
  const report = atMostEvery(5 * SECOND, note);
  return async (path, init) => {
    const startedAt = monotonicNow();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await call(path, init);
        wasReached = true;
        return answer;
      } catch (error) {
        if (!(error instanceof RetryableError)) throw error;
        const isUnreachable = error instanceof UnreachableError;
        wasReached ||= !isUnreachable;
        const limitMs = wasReached ? forMs : Math.min(forMs, restartMs);
        const leftMs = startedAt + limitMs - monotonicNow();
        const pauseMs = error.retryAfterMs ?? backoff(attempt, pauses);
        if (pauseMs > leftMs) throw error;
        report(
          `${error.message} Trying again in ${inSeconds(pauseMs)}, for ${inSeconds(leftMs)} at most.`,
        );
        await sleep(pauseMs);
      }
    }
  };
}

function inSeconds(ms: number): string {
  return `${Math.ceil(ms / SECOND)} s`;
}
