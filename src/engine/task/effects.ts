import { and, eq, sql } from 'drizzle-orm';
import { appendEvent } from '../../db/events.ts';
import type { Db } from '../../db/index.ts';
import { problemsWith } from '../../db/problems.ts';
import { deadLetters } from '../../db/schema/dead-letters.ts';
import { ingestions } from '../../db/schema/ingestions.ts';
import { tasks } from '../../db/schema/tasks.ts';
import type { Lane } from '../../domain/lane.ts';
import type { Problem } from '../../domain/problem.ts';
import { newId } from '../../lib/ids.ts';
import { fingerprint } from '../dead-letters/fingerprint.ts';
import {
  type FailSubject,
  type FailureRecord,
  ingestionOf,
  type Subject,
  subjectColumns,
  subjectFacts,
} from './subject.ts';
import type { Announcement, Task } from './task.ts';
import type { Transition } from './transition.ts';

/** Inserts the tasks of a follow-up stage after a task is done. */
export type FollowUp = (tx: Db, task: Task, stage: string) => Promise<Announcement[]>;

/** The other writes of a settlement, in its transaction. */
export async function commitEffects(
  tx: Db,
  task: Task,
  transition: Transition,
  {
    worker,
    followUp,
    failSubject,
  }: { worker: string; followUp: FollowUp; failSubject: FailSubject },
): Promise<Announcement[]> {
  const { id: taskId, subject, stage, lane } = task;
  const { attempts, failure } = transition;
  await transition.save?.(tx);
  if (failure) {
    await deadLetter(tx, { taskId, subject, stage, lane, attempts, worker }, failure);
    await failSubject(tx, stage, subject, failure);
  } else if (attempts > task.attempts) {
    await countAttempts(tx, subject, attempts);
  }
  const made: Announcement[] = [];
  for (const next of transition.followUps) made.push(...(await followUp(tx, task, next)));
  return made;
}

/**
 * Copies the attempts of a task to its ingestion. Follow-up tasks run after the ingestion has ended
 * and must not change its count, hence the status condition.
 */
export async function countAttempts(tx: Db, subject: Subject, attempts: number): Promise<void> {
  const ingestionId = ingestionOf(subject);
  if (ingestionId === undefined) return;
  await tx
    .update(ingestions)
    .set({ attemptCount: attempts })
    .where(and(eq(ingestions.id, ingestionId), eq(ingestions.status, 'in-progress')));
}

export interface NewTask {
  subject: Subject;
  stage: string;
  giveUpMs: number;
  /** Earliest start, from now. The scheduler announces the task when it is due. */
  delayMs?: number | undefined;
}

/** Without a delay the task is marked as announced: the caller announces it after the commit. */
export async function insertTask(
  tx: Db,
  { subject, stage, giveUpMs, delayMs = 0 }: NewTask,
): Promise<Announcement> {
  const id = newId();
  await tx.insert(tasks).values({
    id,
    ...subjectColumns(subject),
    stage,
    giveUpAt: sql`now() + ${delayMs + giveUpMs} * interval '1 millisecond'`,
    ...(delayMs > 0
      ? { notBefore: sql`now() + ${delayMs} * interval '1 millisecond'` }
      : { announcedAt: sql`now()` }),
  });
  await appendEvent(tx, 'TASK_ADDED', ingestionOf(subject) ?? null, {
    taskId: id,
    stage,
    ...subjectFacts(subject),
  });
  return { taskId: id, epoch: 0, stage, workspaceId: subject.workspaceId };
}

export interface DeadTask {
  taskId: string;
  subject: Subject;
  stage: string;
  lane: Lane;
  attempts: number;
  worker: string | null;
}

/**
 * Records a dead task: opens one dead letter and fails its ingestion with the same reason. Other
 * subjects are failed by their stage (`FailSubject`).
 */
export async function deadLetter(
  tx: Db,
  { taskId, subject, stage, lane, attempts, worker }: DeadTask,
  failure: FailureRecord,
): Promise<void> {
  const { code, category, message, stack } = failure;
  await tx.insert(deadLetters).values({
    id: newId(),
    taskId,
    ...subjectColumns(subject),
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
  const ingestionId = ingestionOf(subject);
  const facts = { taskId, stage, code, message, ...subjectFacts(subject) };
  await appendEvent(tx, 'ERROR', ingestionId ?? null, facts);
  if (ingestionId === undefined) return;
  await endIngestion(tx, ingestionId, {
    status: 'failed',
    problem: { code, message },
    stage,
    attempts,
  });
}

export interface Ending {
  status: 'completed' | 'failed' | 'cancelled';
  problem?: Problem;
  stage?: string;
  attempts?: number;
}

/**
 * The only place where a single ingestion ends. False if it had already ended. The caller must run
 * `afterEndings` as the last step of the transaction, once for all ingestions it ended, so that
 * batches and windows are locked last and in one order.
 */
export async function endIngestion(
  tx: Db,
  ingestionId: string,
  { status, problem, stage, attempts }: Ending,
): Promise<boolean> {
  const [ended] = await tx
    .update(ingestions)
    .set({
      status,
      completedAt: sql`now()`,
      sealedPassword: null,
      ...(attempts !== undefined && { attemptCount: attempts }),
      ...(problem && { problems: problemsWith(problem) }),
    })
    .where(and(eq(ingestions.id, ingestionId), eq(ingestions.status, 'in-progress')))
    .returning({
      documentId: ingestions.documentId,
      valid: ingestions.validStructuredData,
    });
  if (!ended) return false;
  await appendEvent(tx, 'DOCUMENT_PROCESSED', ingestionId, {
    documentId: ended.documentId,
    status,
    ...(status === 'completed' && { needsReview: ended.valid === false }),
    ...(problem && { code: problem.code }),
    ...(stage && { stage }),
  });
  return true;
}

/** `endIngestion` for many completed ingestions in one statement. */
export async function completeIngestions(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    with ended as (
      update ingestions set status = 'completed', completed_at = now(), sealed_password = null
       where id = any(${sql.param(ids)}::uuid[]) and status = 'in-progress'
      returning id, document_id, not coalesce(valid_structured_data, true) as doubtful)
    insert into events (type, ingestion_id, data)
    select 'DOCUMENT_PROCESSED', id,
           jsonb_build_object('documentId', document_id, 'status', 'completed', 'needsReview', doubtful)
      from ended`);
}

/**
 * Cancels waiting documents of a batch that have no task yet, up to `limit` per call. Rows locked
 * by another transaction are skipped. Returns the cancelled ids; the caller must run `afterEndings`
 * here as well.
 */
export async function cancelWaiting(
  tx: Db,
  { workspaceId, batchId, limit }: { workspaceId: string; batchId: string; limit: number },
): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    with waiting as materialized (
      select id from ingestions
       where workspace_id = ${workspaceId} and waits_for = ${batchId} and completed_at is null and admitted_at is null
       order by created_at, id limit ${limit} for no key update skip locked),
    ended as (
      update ingestions set status = 'cancelled', completed_at = now(), sealed_password = null
       where id = any(array(select id from waiting)) returning id, document_id),
    facts as (
      insert into events (type, ingestion_id, data)
      select 'DOCUMENT_PROCESSED', id, jsonb_build_object('documentId', document_id, 'status', 'cancelled') from ended)
    select id from ended`);
  return rows.map(({ id }) => id);
}
