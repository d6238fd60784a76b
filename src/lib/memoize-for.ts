import { monotonicNow } from './time.ts';

/**
 * Calls `ask` at most once per `ms`. Callers in between share its promise, also when it rejects.
 */
export function memoizeFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  let askedAt = 0;
  return () => {
    if (!answer || monotonicNow() - askedAt >= ms) {
      askedAt = monotonicNow();
      answer = ask();
    }
    return answer;
  };
}
