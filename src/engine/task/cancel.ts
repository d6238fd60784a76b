import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../db/index.ts';
import { ingestions } from '../../db/schema/ingestions.ts';
import { tasks } from '../../db/schema/tasks.ts';
import type { Admission } from '../admission/admission.ts';
import { afterEndings } from '../admission/batch/after-endings.ts';
import { endIngestion } from './effects.ts';
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
 * Cancels an ingestion and the task that carries it. Returns the hints to announce after the
 * commit, because the freed slot goes to the next document in line. Returns undefined if the
 * ingestion had already ended; its deliveries then continue.
 */
export async function cancelIngestion(
  tx: Db,
  ingestionId: string,
  admission: Admission,
): Promise<Announcement[] | undefined> {
  // An ingestion without a task is locked before it can be given one. No transaction waits for this
  // row while holding another lock, so this cannot deadlock.
  if (!(await lockWaiting(tx, ingestionId)))
    await cancelTasks(tx, ingestionId, isInProgress(ingestionId));
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
 * Cancels the tasks of an ingestion. Raising the epoch fences off any worker that is running one of
 * them.
 * Lock order: tasks before the ingestion, as in settling. The reverse order could deadlock.
 */
export async function cancelTasks(tx: Db, ingestionId: string, condition?: SQL): Promise<void> {
  await tx
    .update(tasks)
    .set(cancelled)
    .where(and(eq(tasks.ingestionId, ingestionId), isNull(tasks.endedAt), condition));
}

/**
 * Evaluated in the same snapshot as the tasks: a snapshot that contains the follow-up tasks of an
 * ended ingestion also contains its end.
 */
const isInProgress = (ingestionId: string) =>
  sql`exists (select from ingestions where id = ${ingestionId} and status = 'in-progress')`;

/** Cancels one waiting task. False if it is running, has ended, or the condition does not hold. */
export async function cancelTask(tx: Db, taskId: string, condition: SQL): Promise<boolean> {
  const ended = await tx
    .update(tasks)
    .set(cancelled)
    .where(and(eq(tasks.id, taskId), eq(tasks.state, 'ready'), condition))
    .returning({ id: tasks.id });
  return ended.length > 0;
}
