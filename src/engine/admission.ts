import { sql } from 'drizzle-orm';
import type { Db } from '../db/index.ts';
import type { Lane, LargeFrom } from '../domain/lane.ts';
import { newId } from '../lib/ids.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { Announcement } from './task.ts';

/** What a document's first task is. */
export interface Admission {
  first: string;
  giveUpMs: number;
  /** The same, of a delivery. */
  deliveryGiveUpMs?: number;
  /** A run that begins in one of these stages begins in the lane of its size. */
  lanes?: { stages: readonly string[]; largeFrom: LargeFrom };
  tracing?: Tracing;
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
 * Fills the free places of a workspace's window and makes the first tasks of the documents that get them. The caller
 * holds the workspace's lock and announces the tasks after its commit.
 */
export async function admitWaiting(
  tx: Db,
  workspaceId: string,
  { first, giveUpMs, lanes }: Admission,
): Promise<Announcement[]> {
  const { rows } = await tx.execute<{ id: string }>(admitStatement(workspaceId));
  if (rows.length === 0) return [];
  const admitted = rows.map(({ id }) => ({ ingestionId: id, taskId: newId() }));
  const { rows: made } = await tx.execute<{ id: string; stage: string; lane: Lane }>(sql`
    with made as (
      insert into tasks (id, ingestion_id, stage, lane, give_up_at, announced_at)
      select n.id, n.ingestion_id, coalesce(i.overrides->>'fromStage', ${first}), ${laneExpression(first, lanes)},
             now() + ${giveUpMs}::float8 * interval '1 millisecond', now()
        from unnest(${sql.param(admitted.map(({ taskId }) => taskId))}::uuid[],
                    ${sql.param(admitted.map(({ ingestionId }) => ingestionId))}::uuid[]) as n(id, ingestion_id)
        join ingestions i on i.id = n.ingestion_id
      returning id, ingestion_id, stage, lane),
    told as (
      insert into events (type, ingestion_id, data)
      select 'TASK_ADDED', ingestion_id, jsonb_build_object('taskId', id, 'stage', stage) from made)
    select id, stage, lane from made`);
  return made.map(({ id, stage, lane }) => ({ taskId: id, epoch: 0, stage, lane }));
}

/** `firstLane` for rows: of the ingestion `i`. */
function laneExpression(first: string, { stages, largeFrom }: NonNullable<Admission['lanes']> = noLanes) {
  return sql`
    case when coalesce(i.overrides->>'fromStage', ${first}) <> all(${sql.param(stages)}::text[]) then 'small'
         else coalesce(i.overrides->>'lane', case when i.pages >= ${largeFrom.pages}::float8
           or (select bytes from documents d where d.id = i.document_id) >= ${largeFrom.bytes}::float8 then 'large' else 'small' end)
    end`;
}

const noLanes = { stages: [], largeFrom: { bytes: 0, pages: 0 } };

/**
 * Documents without a batch and those of the batch that has the turn share the window: a place goes to whichever of the
 * two has fewer under way, and to the older document where they have as many. So neither stream can starve the other.
 * One that is being cancelled right now is locked and passed over; its end fills the place.
 */
export function admitStatement(workspaceId: string) {
  return sql`
    with under_way as (
      select count(*) as total, count(waits_for) as batched from ingestions
       where workspace_id = ${workspaceId} and completed_at is null and admitted_at is not null),
    room as (
      select greatest(0, max_in_flight - total) as places, total - batched as loose, batched
        from workspaces, under_way where id = ${workspaceId}),
    loose as materialized (
      select id, created_at from ingestions
       where workspace_id = ${workspaceId} and waits_for is null and completed_at is null and admitted_at is null
       order by created_at, id limit (select places from room) for no key update skip locked),
    batched as materialized (
      select id, created_at from ingestions
       where workspace_id = ${workspaceId} and completed_at is null and admitted_at is null
         and waits_for = (select id from batches where workspace_id = ${workspaceId} and turn_at is not null
                             and state in ('active', 'redriving'))
       order by created_at, id limit (select places from room) for no key update skip locked),
    ranked as (
      select id, created_at, (select loose from room) + row_number() over (order by created_at, id) as place from loose
      union all
      select id, created_at, (select batched from room) + row_number() over (order by created_at, id) from batched)
    update ingestions set admitted_at = now()
     where id = any(array(select id from ranked order by place, created_at, id limit (select places from room)))
    returning id`;
}
