import { setTimeout as sleep } from 'node:timers/promises';
import { BusyError, PermanentError, SetupError } from '../errors.ts';
import { SECOND } from '../lib/time.ts';

interface Persistence {
  /** Whether something would be lost by giving up now. */
  isWorthIt(): boolean;
  /** Before a failed call is made again. */
  pauseMs: number;
  signal: AbortSignal;
}

/** More than our own budget ever asks for; a vendor that wants more is not waited for within a stage. */
const longestWaitMs = 90 * SECOND;
const mostFailures = 3;

/** Asks again, when that is worth it, while the vendor is busy, and a few times when it fails. */
export async function retryVendorCall<T>(
  ask: () => Promise<T>,
  { isWorthIt, pauseMs, signal }: Persistence,
): Promise<T> {
  for (let failures = 0; ; ) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      const isBusy = error instanceof BusyError;
      failures += isBusy ? 0 : 1;
      const isFinal =
        error instanceof PermanentError || error instanceof SetupError || failures >= mostFailures;
      const waitMs = isBusy ? error.retryAfterMs : failures * pauseMs;
      if (isFinal || waitMs > longestWaitMs || !isWorthIt()) throw error;
      await sleep(waitMs, undefined, { signal });
    }
  }
}
