import { monotonicNow } from './time.ts';

/** Calls through the first time and then not again for a while; what comes in between is dropped. */
export function atMostEvery<Args extends unknown[]>(
  ms: number,
  act: (...args: Args) => void,
): (...args: Args) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (...args) => {
    if (monotonicNow() - last < ms) return;
    last = monotonicNow();
    act(...args);
  };
}
