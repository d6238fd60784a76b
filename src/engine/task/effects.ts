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

/** Whether a transition writes more than the task itself. */
export function hasEffects(task: Task, transition: Transition): boolean {
  return transition.completes || hasOwnEffects(task, transition);
}

/** Effects that are written for each task by itself. */
export function hasOwnEffects(
  task: Task,
  { save, failure, followUps, attempts }: Transition,
): boolean {
  return (
    save !== undefined || failure !== undefined || followUps.length > 0 || attempts > task.attempts
  );
}

/** Makes the tasks of a stage that follow a finished one. */
export type FollowUp = (tx: Db, task: Task, stage: string) => Promise<Announcement[]>;

/** The rest of a settlement, in its transaction: what the stage saves, follow-up tasks, dead letters. */
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

/** Shows the attempts of a task on the ingestion it carries; what follows an ingestion that has ended counts for itself. */
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
  /** Not to be begun before this much time has passed; it is announced by then. */
  delayMs?: number | undefined;
}

/** Makes a task. Without delay it is announced at once: its hint is the caller's to give after the commit. */
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

/** A task is dead: one open dead letter, and the ingestion it carried has failed, with the reason on it. */
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
