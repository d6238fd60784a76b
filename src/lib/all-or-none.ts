import { setMaxListeners } from 'node:events';

/**
 * Runs all tasks concurrently. The first failure aborts the others; its error is thrown once all
 * have settled.
 */
export async function allOrNone<T>(
  tasks: readonly ((signal: AbortSignal) => Promise<T>)[],
  signal: AbortSignal,
): Promise<T[]> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  setMaxListeners(0, stop);
  const running = tasks.map(async (task) => {
    try {
      return await task(stop);
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  await Promise.allSettled(running);
  if (failed.signal.aborted) throw failed.signal.reason;
  return await Promise.all(running);
}
