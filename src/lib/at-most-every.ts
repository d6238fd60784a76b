import { monotonicNow } from './time.ts';

/** Throttles a function: the first call goes through, further calls within `ms` are dropped. */
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
