import { setTimeout as sleep } from 'node:timers/promises';
import { type DocumentView, findEnded } from '../db/documents.ts';
import type { Db } from '../db/index.ts';
import { monotonicNow } from '../lib/time.ts';

interface Waiting {
  deadline: number;
  interrupted: Promise<unknown>;
  /** Answers documents to wait for as well: those that were found in it. */
  onFinished(view: DocumentView): Promise<string[]>;
}

/** Told of at once. */
const most = 500;

/** Waits until each of these documents has ended; each is told of once, as it ends. */
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
    for (const view of await findEnded(db, [...open], most)) {
      open.delete(view.id);
      for (const found of await onFinished(view)) open.add(found);
    }
    if (open.size > 0) await sleep(100);
  }
  return 'finished';
}
