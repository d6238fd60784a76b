import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE, monotonicNow } from '../lib/time.ts';
import { type Call, ServerBusyError } from './client.ts';
import { note } from './note.ts';

const maxWaitMs = 10 * MINUTE;

/** Retries while the server is busy. Only for requests that are safe to send twice. */
export async function whenReady(call: Call, path: string, init: RequestInit): Promise<unknown> {
  const until = monotonicNow() + maxWaitMs;
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
