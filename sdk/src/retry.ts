import { MillraceError } from './error.ts';
import { pause } from './pause.ts';

export interface RetryOptions {
  /** Total time for further attempts; 0 = a single attempt. */
  forMs: number;
  /** Whether the request does no harm when it arrives twice. */
  repeatable: boolean;
  /** Whether the body can be sent again. */
  resendable: boolean;
  signal?: AbortSignal | undefined;
}

const firstMs = 250;
const longestMs = 15_000;

/** Repeats a request as long as the server calls its failure retryable. */
export async function withRetries<T>(
  run: () => Promise<T>,
  { forMs, repeatable, resendable, signal }: RetryOptions,
): Promise<T> {
  const end = Date.now() + forMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof MillraceError && error.retryable && resendable)) throw error;
      if (!repeatable && !wasRefused(error)) throw error;
      const waitMs = error.retryAfterMs ?? backoff(attempt);
      if (Date.now() + waitMs > end) throw error;
      await pause(waitMs, signal);
    }
  }
}

/** The server did nothing, so that any request may be sent again. */
function wasRefused({ status, code }: MillraceError): boolean {
  return status === 429 || code === 'BUSY';
}

/** With jitter, so that clients do not return together. */
function backoff(attempt: number): number {
  return Math.min(longestMs, firstMs * 2 ** attempt) * (0.5 + Math.random() / 2);
}
