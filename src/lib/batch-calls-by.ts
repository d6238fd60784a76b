import { batchCalls } from './batch-calls.ts';

/**
 * Group commit per key: calls with the same key are batched, and keys do not wait for each other.
 */
export function batchCallsBy<Item, Result>(
  keyOf: (item: Item) => string,
  work: (items: Item[]) => Promise<Result[]>,
  options: { most: number; inFlight: number },
): (item: Item) => Promise<Result> {
  const lanes = new Map<string, { call: (item: Item) => Promise<Result>; callers: number }>();
  return async (item) => {
    const key = keyOf(item);
    const lane = lanes.get(key) ?? { call: batchCalls(work, options), callers: 0 };
    lanes.set(key, lane);
    lane.callers += 1;
    try {
      return await lane.call(item);
    } finally {
      lane.callers -= 1;
      if (lane.callers === 0) lanes.delete(key);
    }
  };
}
