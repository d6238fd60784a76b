import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/index.ts';
import { tasks } from '../db/schema/tasks.ts';
import { endIngestion } from './end-ingestion.ts';

const cancelled = {
  state: 'cancelled',
  epoch: sql`${tasks.epoch} + 1`,
  announcedAt: null,
  leaseOwner: null,
  leaseUntil: null,
  deadline: null,
  endedAt: sql`now()`,
} as const;

/**
 * Ends an ingestion before its time, with all its tasks. The epoch moves on, so whoever works on one of them right now
 * can no longer settle it. False when the ingestion had ended by itself.
 */
export async function cancelIngestion(tx: Db, ingestionId: string): Promise<boolean> {
  // Tasks first and the ingestion after them, as settling does it: the other way round the two could deadlock.
  await tx
    .update(tasks)
    .set(cancelled)
    .where(and(eq(tasks.ingestionId, ingestionId), isNull(tasks.endedAt)));
  return endIngestion(tx, ingestionId, { status: 'cancelled' });
}

/** Ends one task that waits; false when it is being worked on, has ended, or the condition does not hold. */
export async function cancelTask(tx: Db, taskId: string, condition: SQL): Promise<boolean> {
  const ended = await tx
    .update(tasks)
    .set(cancelled)
    .where(and(eq(tasks.id, taskId), eq(tasks.state, 'ready'), condition))
    .returning({ id: tasks.id });
  return ended.length > 0;
}
