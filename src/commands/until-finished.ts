import { setTimeout as sleep } from 'node:timers/promises';
import { type DocumentView, findEnded } from '../db/documents.ts';
import type { Db } from '../db/index.ts';
import { throughOutage } from '../db/outage.ts';
import { monotonicNow } from '../lib/time.ts';

interface Waiting {
  deadline: number;
  interrupted: Promise<unknown>;
  /** Returns further documents to wait for: those that were found in this one. */
  onFinished(view: DocumentView): Promise<string[]>;
}

/** Ended documents fetched by one query. */
const pageSize = 500;

/** Documents to wait for. More are added while earlier ones are being processed. */
export class TakenDocuments {
  readonly open = new Set<string>();
  isComplete = false;

  add(id: string): void {
    this.open.add(id);
  }

  /** No more documents are added. */
  end(): void {
    this.isComplete = true;
  }
}

/** Waits until all of these documents have ended; calls `onFinished` once for each. */
export async function untilFinished(
  db: Db,
  taken: TakenDocuments,
  { deadline, interrupted, onFinished }: Waiting,
): Promise<'finished' | 'late' | 'interrupted'> {
  const { open } = taken;
  let stopped = false;
  void interrupted.then(() => {
    stopped = true;
  });
  const isLate = () => monotonicNow() > deadline;
  const ended = () => findEnded(db, [...open], pageSize);
  while (open.size > 0 || !taken.isComplete) {
    if (stopped) return 'interrupted';
    if (isLate()) return 'late';
    for (const view of await throughOutage(ended, () => !stopped && !isLate())) {
      open.delete(view.id);
      for (const found of await onFinished(view)) open.add(found);
    }
    await sleep(100);
  }
  return 'finished';
}
