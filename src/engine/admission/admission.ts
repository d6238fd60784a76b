import { type Db, run } from '../../db/index.ts';
import { firstLane, type Lane, type LargeFrom } from '../../domain/lane.ts';
import type { Overrides } from '../../domain/overrides.ts';
import { newId } from '../../lib/ids.ts';
import type { Tracing } from '../../observability/tracing/index.ts';
import type { Announcement } from '../task/task.ts';

/** Settings for the first task of a document. */
export interface Admission {
  first: string;
  giveUpMs: number;
  /** `giveUpMs` for deliveries. */
  deliveryGiveUpMs?: number;
  /** An ingestion that begins in one of these stages starts in the lane of its size. */
  lanes?: { stages: readonly string[]; largeFrom: LargeFrom };
  tracing?: Tracing;
}

/**
 * Locks workspaces. One transaction per workspace at a time decides which documents start and which
 * batch has the turn.
 * Lock order: after tasks and ingestions. Several workspaces are locked in order of their ids.
 */
export async function lockWorkspaces(tx: Db, ids: readonly string[]): Promise<void> {
  await run(tx, lockStatement, [[...new Set(ids)]]);
}

const lockStatement = {
  name: 'lock-workspaces',
  text: 'select id from workspaces where id = any($1::uuid[]) order by id for no key update',
};

/**
 * Fills the free slots of a workspace's window and inserts the first tasks of the admitted
 * documents. The caller holds the workspace's lock and announces the tasks after its commit.
 */
export async function admitWaiting(
  tx: Db,
  workspaceId: string,
  admission: Admission,
): Promise<Announcement[]> {
  const { rows } = await run<Starting>(tx, admitStatement, [workspaceId]);
  if (rows.length === 0) return [];
  const made = rows.map((starting) => ({
    taskId: newId(),
    epoch: 0,
    workspaceId,
    ...beginning(starting, admission),
  }));
  await run(tx, taskStatement, [
    made.map(({ taskId }) => taskId),
    rows.map(({ id }) => id),
    made.map(({ stage }) => stage),
    made.map(({ lane }) => lane),
    admission.giveUpMs,
  ]);
  return made;
}

/** An admitted ingestion with its size, as far as it is known. */
interface Starting {
  id: string;
  overrides: Pick<Overrides, 'fromStage' | 'lane'>;
  pages: number | null;
  bytes: number;
}

function beginning(
  { overrides, pages, bytes }: Starting,
  { first, lanes }: Admission,
): { stage: string; lane: Lane } {
  const stage = overrides.fromStage ?? first;
  if (!lanes?.stages.includes(stage)) return { stage, lane: 'small' };
  return { stage, lane: firstLane({ bytes, ingestion: { pages, overrides } }, lanes.largeFrom) };
}

/**
 * Documents without a batch and those of the batch that has the turn share the window. A slot goes
 * to the stream with fewer documents in progress; if both have the same number, to the older
 * document. So neither stream can starve the other.
 * A document that is being cancelled is locked and skipped. Its end fills the slot.
 */
export const admitStatement = {
  name: 'admit-waiting',
  text: `
    with under_way as (
      select count(*) as total, count(waits_for) as batched from ingestions
       where workspace_id = $1 and completed_at is null and admitted_at is not null),
    room as (
      select greatest(0, max_in_flight - total) as places, total - batched as loose, batched
        from workspaces, under_way where id = $1),
    loose as materialized (
      select id, created_at from ingestions
       where workspace_id = $1 and waits_for is null and completed_at is null and admitted_at is null
       order by created_at, id limit (select places from room) for no key update skip locked),
    batched as materialized (
      select id, created_at from ingestions
       where workspace_id = $1 and completed_at is null and admitted_at is null
         and waits_for = (select id from batches where workspace_id = $1 and turn_at is not null
                             and state in ('active', 'redriving'))
       order by created_at, id limit (select places from room) for no key update skip locked),
    ranked as (
      select id, created_at, (select loose from room) + row_number() over (order by created_at, id) as place from loose
      union all
      select id, created_at, (select batched from room) + row_number() over (order by created_at, id) from batched)
    update ingestions i set admitted_at = now()
     where id = any(array(select id from ranked order by place, created_at, id limit (select places from room)))
    returning id, overrides, pages, (select bytes::float8 from documents d where d.id = i.document_id) as bytes`,
};

const taskStatement = {
  name: 'first-tasks',
  text: `
    with made as (
      insert into tasks (id, ingestion_id, stage, lane, give_up_at, announced_at)
      select id, ingestion_id, stage, lane, now() + $5::float8 * interval '1 millisecond', now()
        from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as n(id, ingestion_id, stage, lane)
      returning id, ingestion_id, stage)
    insert into events (type, ingestion_id, data)
    select 'TASK_ADDED', ingestion_id, jsonb_build_object('taskId', id, 'stage', stage) from made`,
};
