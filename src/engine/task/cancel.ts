import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../db/index.ts';
import { ingestions } from '../../db/schema/ingestions.ts';
import { tasks } from '../../db/schema/tasks.ts';
import type { Admission } from '../admission/admission.ts';
import { afterEndings } from '../admission/batch/after-endings.ts';
import { endIngestion } from './end-ingestion.ts';
import type { Announcement } from './task.ts';

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
 * Ends an ingestion before its time, with the task that carries it. Answers what is to be announced after the commit, for
 * its place goes to the next in line; undefined when the ingestion had ended by itself: then its deliveries go on.
 */
export async function cancelIngestion(
  tx: Db,
  ingestionId: string,
  admission: Admission,
): Promise<Announcement[] | undefined> {
  // One that has no task yet is locked before it can get one; nobody waits for it with a lock in hand.
  if (!(await lockWaiting(tx, ingestionId)))
    await cancelTasks(tx, ingestionId, underWay(ingestionId));
  if (!(await endIngestion(tx, ingestionId, { status: 'cancelled' }))) return undefined;
  return afterEndings(tx, [ingestionId], admission);
}

async function lockWaiting(tx: Db, ingestionId: string): Promise<boolean> {
  const waiting = await tx
    .select({ id: ingestions.id })
    .from(ingestions)
    .where(
      and(
        eq(ingestions.id, ingestionId),
        eq(ingestions.status, 'in-progress'),
        isNull(ingestions.admittedAt),
      ),
    )
    .for('no key update');
  return waiting.length > 0;
}

/**
 * Ends the tasks of an ingestion. The epoch moves on, so whoever works on one of them right now can no longer settle it.
 * They come first and the ingestion after them, as settling does it: the other way round the two could deadlock.
 */
export async function cancelTasks(tx: Db, ingestionId: string, condition?: SQL): Promise<void> {
  await tx
    .update(tasks)
    .set(cancelled)
    .where(and(eq(tasks.ingestionId, ingestionId), isNull(tasks.endedAt), condition));
}

/** Read as of the same moment as the tasks: who sees those that follow an end sees the end. */
const underWay = (ingestionId: string) =>
  sql`exists (select from ingestions where id = ${ingestionId} and status = 'in-progress')`;

/** Ends one task that waits; false when it is being worked on, has ended, or the condition does not hold. */
export async function cancelTask(tx: Db, taskId: string, condition: SQL): Promise<boolean> {
  const ended = await tx
    .update(tasks)
    .set(cancelled)
    .where(and(eq(tasks.id, taskId), eq(tasks.state, 'ready'), condition))
    .returning({ id: tasks.id });
  return ended.length > 0;
}
