import { sql } from 'drizzle-orm';
import type { Db } from '../db/index.ts';
import { newId } from '../lib/ids.ts';
import type { Announcement } from './task.ts';

/** What a document's first task is. */
export interface Admission {
  first: string;
  giveUpMs: number;
  /** The same, of a delivery. */
  deliveryGiveUpMs?: number;
}

/**
 * Who may start and which batch has the turn is decided by one transaction a workspace at a time. The lock comes after
 * those of tasks and ingestions; a transaction that needs several takes them in the order of their ids.
 */
export async function lockWorkspaces(tx: Db, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`
    select id from workspaces where id = any(${sql.param([...new Set(ids)])}::uuid[]) order by id for no key update`);
}

/**
 * Fills the free places of a workspace's window with the documents that waited longest, and makes their first tasks:
 * documents that belong to no batch, then those of the batch that has the turn. The caller holds the workspace's lock
 * and announces the tasks after its commit.
 */
export async function admitWaiting(
  tx: Db,
  workspaceId: string,
  { first, giveUpMs }: Admission,
): Promise<Announcement[]> {
  const { rows } = await tx.execute<{ id: string }>(admitStatement(workspaceId));
  if (rows.length === 0) return [];
  const admitted = rows.map(({ id }) => ({ ingestionId: id, taskId: newId() }));
  const { rows: made } = await tx.execute<{ id: string; stage: string }>(sql`
    with made as (
      insert into tasks (id, ingestion_id, stage, give_up_at, announced_at)
      select n.id, n.ingestion_id, coalesce(i.overrides->>'fromStage', ${first}),
             now() + ${giveUpMs}::float8 * interval '1 millisecond', now()
        from unnest(${sql.param(admitted.map(({ taskId }) => taskId))}::uuid[],
                    ${sql.param(admitted.map(({ ingestionId }) => ingestionId))}::uuid[]) as n(id, ingestion_id)
        join ingestions i on i.id = n.ingestion_id
      returning id, ingestion_id, stage),
    told as (
      insert into events (type, ingestion_id, data)
      select 'TASK_ADDED', ingestion_id, jsonb_build_object('taskId', id, 'stage', stage) from made)
    select id, stage from made`);
  return made.map(({ id, stage }) => ({ taskId: id, epoch: 0, stage }));
}

/** One that is being cancelled right now is locked and passed over; its end fills the place. */
export function admitStatement(workspaceId: string) {
  return sql`
    with room as (
      select greatest(0, max_in_flight - (
          select count(*) from ingestions
           where workspace_id = ${workspaceId} and completed_at is null and admitted_at is not null)) as places
        from workspaces where id = ${workspaceId}),
    loose as materialized (
      select id from ingestions
       where workspace_id = ${workspaceId} and waits_for is null and completed_at is null and admitted_at is null
       order by created_at, id limit (select places from room) for no key update skip locked),
    batched as materialized (
      select id from ingestions
       where workspace_id = ${workspaceId} and completed_at is null and admitted_at is null
         and waits_for = (select id from batches where workspace_id = ${workspaceId} and turn_at is not null
                             and state in ('active', 'redriving'))
       order by created_at, id limit (select places from room) - (select count(*) from loose) for no key update skip locked)
    update ingestions set admitted_at = now()
     where id = any(array(select id from loose union all select id from batched))
    returning id`;
}
