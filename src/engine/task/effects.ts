import { and, eq, sql } from 'drizzle-orm';
import { appendEvent } from '../../db/events.ts';
import type { Db } from '../../db/index.ts';
import { deadLetters } from '../../db/schema/dead-letters.ts';
import { ingestions } from '../../db/schema/ingestions.ts';
import { tasks } from '../../db/schema/tasks.ts';
import type { Lane } from '../../domain/lane.ts';
import { newId } from '../../lib/ids.ts';
import { fingerprint } from '../dead-letters/fingerprint.ts';
import { endIngestion } from './end-ingestion.ts';
import type { Announcement, Task } from './task.ts';
import type { FailureRecord, Transition } from './transition.ts';

/** Inserts the tasks of a follow-up stage after a task is done. */
export type FollowUp = (tx: Db, task: Task, stage: string) => Promise<Announcement[]>;

/** The other writes of a settlement, in its transaction. */
export async function commitEffects(
  tx: Db,
  task: Task,
  transition: Transition,
  { worker, followUp }: { worker: string; followUp: FollowUp },
): Promise<Announcement[]> {
  const ingestionId = task.document.ingestion.id;
  await transition.save?.(tx);
  if (transition.failure) {
    const { id: taskId, stage, lane } = task;
    await deadLetter(
      tx,
      { taskId, ingestionId, stage, lane, attempts: transition.attempts, worker },
      transition.failure,
    );
  } else if (transition.attempts > task.attempts) {
    await countAttempts(tx, ingestionId, transition.attempts);
  }
  const made: Announcement[] = [];
  for (const stage of transition.followUps) made.push(...(await followUp(tx, task, stage)));
  return made;
}

/**
 * Copies the attempts of a task to its ingestion. Follow-up tasks run after the ingestion has ended
 * and must not change its count, hence the status condition.
 */
export async function countAttempts(tx: Db, ingestionId: string, attempts: number): Promise<void> {
  await tx
    .update(ingestions)
    .set({ attemptCount: attempts })
    .where(and(eq(ingestions.id, ingestionId), eq(ingestions.status, 'in-progress')));
}

export interface NewTask {
  ingestionId: string;
  stage: string;
  giveUpMs: number;
  /** Earliest start, from now. The scheduler announces the task when it is due. */
  delayMs?: number | undefined;
}

/** Without a delay the task is marked as announced: the caller announces it after the commit. */
export async function insertTask(
  tx: Db,
  { ingestionId, stage, giveUpMs, delayMs = 0 }: NewTask,
): Promise<Announcement> {
  const id = newId();
  await tx.insert(tasks).values({
    id,
    ingestionId,
    stage,
    giveUpAt: sql`now() + ${delayMs + giveUpMs} * interval '1 millisecond'`,
    ...(delayMs > 0
      ? { notBefore: sql`now() + ${delayMs} * interval '1 millisecond'` }
      : { announcedAt: sql`now()` }),
  });
  await appendEvent(tx, 'TASK_ADDED', ingestionId, { taskId: id, stage });
  return { taskId: id, epoch: 0, stage };
}

export interface DeadTask {
  taskId: string;
  ingestionId: string;
  stage: string;
  lane: Lane;
  attempts: number;
  worker: string | null;
}

/** Records a dead task: opens one dead letter and fails the ingestion with the same reason. */
export async function deadLetter(
  tx: Db,
  { taskId, ingestionId, stage, lane, attempts, worker }: DeadTask,
  failure: FailureRecord,
): Promise<void> {
  const { code, category, message, stack } = failure;
  await tx.insert(deadLetters).values({
    id: newId(),
    taskId,
    ingestionId,
    stage,
    code,
    category,
    message,
    stack: stack ?? null,
    fingerprint: fingerprint(stage, code, message),
    attempts,
    worker,
    payload: { taskId, lane },
  });
  await appendEvent(tx, 'ERROR', ingestionId, { taskId, stage, code, message });
  await endIngestion(tx, ingestionId, {
    status: 'failed',
    problem: { code, message },
    stage,
    attempts,
  });
}
