import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE, monotonicNow } from '../lib/time.ts';
import { type Call, ServerBusyError } from './client.ts';
import { note } from './note.ts';

const patienceMs = 10 * MINUTE;

/** Asks again, when the server says so, until it can answer: for requests that may be sent twice. */
export async function whenReady(call: Call, path: string, init: RequestInit): Promise<unknown> {
  const until = monotonicNow() + patienceMs;
  for (;;) {
    try {
      return await call(path, init);
    } catch (error) {
      if (!(error instanceof ServerBusyError) || monotonicNow() + error.retryAfterMs > until)
        throw error;
      note(`${error.message} Trying again in ${error.retryAfterMs / 1000} s.`);
      await sleep(error.retryAfterMs);
    }
  }
}
