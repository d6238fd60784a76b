/**
 * Group commit: calls that arrive while a batch is in progress are sent together in the next one.
 * Under load this turns N statements into one; a single call is not delayed. When a batch fails,
 * each of its calls is repeated alone, so that one bad item does not fail its neighbours.
 */
export function batchCalls<Item, Result>(
  work: (items: Item[]) => Promise<Result[]>,
  { most, inFlight }: { most: number; inFlight: number },
): (item: Item) => Promise<Result> {
  interface Waiting {
    item: Item;
    resolve: (result: Result) => void;
    reject: (error: unknown) => void;
  }
  const waiting: Waiting[] = [];
  let running = 0;
  let crowded = false;

  const next = (): void => {
    if (running >= inFlight || waiting.length === 0) return;
    running += 1;
    const leave = () => void send(waiting.splice(0, most));
    // Under load, one turn of the event loop lets more callers join. A single call is sent at once.
    if (crowded) setImmediate(leave);
    else queueMicrotask(leave);
  };

  const send = async (batch: Waiting[]): Promise<void> => {
    crowded = batch.length > 1;
    try {
      await attempt(batch);
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else await Promise.all(batch.map((one) => attempt([one]).catch(one.reject)));
    } finally {
      running -= 1;
      next();
    }
  };

  const attempt = async (batch: Waiting[]): Promise<void> => {
    const results = await work(batch.map(({ item }) => item));
    batch.forEach(({ resolve }, i) => {
      resolve(results[i] as Result);
    });
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      next();
    });
}

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
