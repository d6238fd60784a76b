import { setTimeout as sleep } from 'node:timers/promises';
import { BusyError, PermanentError, SetupError } from '../errors.ts';
import { SECOND } from '../lib/time.ts';

interface RetryOptions {
  /** Whether giving up now would lose paid results. */
  isWorthIt(): boolean;
  /** Delay before a failed call is retried; grows with each failure. */
  pauseMs: number;
  signal: AbortSignal;
}

/** Longer than our own rate limit ever requires. Longer waits release the task instead. */
const longestWaitMs = 90 * SECOND;
const maxFailures = 3;

/** If it is worth it, retries while the vendor is busy, and a few times after failures. */
export async function retryVendorCall<T>(
  ask: () => Promise<T>,
  { isWorthIt, pauseMs, signal }: RetryOptions,
): Promise<T> {
  for (let failures = 0; ; ) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      const isBusy = error instanceof BusyError;
      failures += isBusy ? 0 : 1;
      const isFinal =
        error instanceof PermanentError || error instanceof SetupError || failures >= maxFailures;
      const waitMs = isBusy ? error.retryAfterMs : failures * pauseMs;
      if (isFinal || waitMs > longestWaitMs || !isWorthIt()) throw error;
      await sleep(waitMs, undefined, { signal });
    }
  }
}
