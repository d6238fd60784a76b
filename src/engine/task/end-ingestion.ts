import { and, eq, sql } from 'drizzle-orm';
import { appendEvent } from '../../db/events.ts';
import type { Db } from '../../db/index.ts';
import { problemsWith } from '../../db/problems.ts';
import { ingestions } from '../../db/schema/ingestions.ts';
import type { Problem } from '../../domain/problem.ts';

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
    .returning({ documentId: ingestions.documentId });
  if (!ended) return false;
  await appendEvent(tx, 'DOCUMENT_PROCESSED', ingestionId, {
    documentId: ended.documentId,
    status,
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
      returning id, document_id)
    insert into events (type, ingestion_id, data)
    select 'DOCUMENT_PROCESSED', id, jsonb_build_object('documentId', document_id, 'status', 'completed') from ended`);
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
