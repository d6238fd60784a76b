import { once } from 'node:events';
import type { Response } from 'express';

/** Writes with backpressure. Output for a client that has disconnected is dropped. */
export async function write(res: Response, text: string): Promise<void> {
  if (res.destroyed || res.write(text)) return;
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })]).finally(() =>
    settled.abort(),
  );
}
