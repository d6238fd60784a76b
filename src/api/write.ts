import { once } from 'node:events';
import type { Response } from 'express';

/** Writes no faster than the caller reads; what a caller who went away would have got is dropped. */
export async function write(res: Response, text: string): Promise<void> {
  if (res.destroyed || res.write(text)) return;
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })]).finally(() =>
    settled.abort(),
  );
}
