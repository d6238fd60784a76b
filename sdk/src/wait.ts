import { MillraceError } from './error.ts';
import { pause } from './pause.ts';

export interface WaitOptions {
  /** Ten minutes by default. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

const firstMs = 200;
const longestMs = 2_000;

/** Asks again, ever more slowly, until an answer is final. */
export async function poll<T>(
  ask: () => Promise<T>,
  isFinal: (answer: T) => boolean,
  { what, timeoutMs = 600_000, signal }: WaitOptions & { what: string },
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (let waitMs = firstMs; ; waitMs = Math.min(longestMs, waitMs * 1.5)) {
    const answer = await ask();
    if (isFinal(answer)) return answer;
    if (Date.now() + waitMs > end) {
      throw new MillraceError(`${what} is still in progress after ${timeoutMs / 1000} s`, {
        status: 0,
        code: 'TIMEOUT',
        retryable: true,
        hint: 'It continues on the server. explainDocument shows what a document waits for.',
      });
    }
    await pause(waitMs, signal);
  }
}
