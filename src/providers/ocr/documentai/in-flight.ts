/** Runs `work` on all items, at most `limit` at a time. The first failure aborts the rest. */
export async function inFlight<Item, Result>(
  items: AsyncIterable<Item>,
  limit: number,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const queue = items[Symbol.asyncIterator]();
  const results: Result[] = [];
  const runner = async () => {
    for (let next = await queue.next(); !next.done && !either.aborted; next = await queue.next()) {
      results.push(await work(next.value, either));
    }
  };
  try {
    await Promise.all(Array.from({ length: limit }, runner));
  } catch (error) {
    stop.abort(error);
    throw error;
  }
  signal.throwIfAborted();
  return results;
}
