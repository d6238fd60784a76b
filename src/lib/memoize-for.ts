import { monotonicNow } from './time.ts';

/** Asks once for all who want to know within this time; they share the answer, also a refusal. */
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
