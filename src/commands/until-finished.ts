import { setTimeout as sleep } from 'node:timers/promises';
import { type DocumentView, findEnded } from '../db/documents.ts';
import type { Db } from '../db/index.ts';
import { monotonicNow } from '../lib/time.ts';

interface Waiting {
  deadline: number;
  interrupted: Promise<unknown>;
  /** Returns further documents to wait for: those that were found in this one. */
  onFinished(view: DocumentView): Promise<string[]>;
}

/** Ended documents fetched by one query. */
const pageSize = 500;

/** Waits until all of these documents have ended; calls `onFinished` once for each. */
export async function untilFinished(
  db: Db,
  ids: string[],
  { deadline, interrupted, onFinished }: Waiting,
): Promise<'finished' | 'late' | 'interrupted'> {
  const open = new Set(ids);
  let stopped = false;
  void interrupted.then(() => {
    stopped = true;
  });
  while (open.size > 0) {
    if (stopped) return 'interrupted';
    if (monotonicNow() > deadline) return 'late';
    for (const view of await findEnded(db, [...open], pageSize)) {
      open.delete(view.id);
      for (const found of await onFinished(view)) open.add(found);
    }
    if (open.size > 0) await sleep(100);
  }
  return 'finished';
}
