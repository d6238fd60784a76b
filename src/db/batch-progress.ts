import { sql } from 'drizzle-orm';
import { estimate } from '../domain/batch-eta.ts';
import type { Held } from '../domain/held.ts';
import { toDollars } from '../domain/money.ts';
import { spentInBatch } from './accounts.ts';
import type { Batch } from './batches.ts';
import { contentsInBatch } from './containers.ts';
import type { Db } from './index.ts';

const latelySeconds = 60;

type Step = {
  stage: string;
  state: 'ready' | 'running';
  held: Held['reason'] | null;
  count: number;
};
type Clock = { elapsed: number; lately: number; oldest: string | null };

/**
 * Progress of a batch, from its counters and the documents in progress: the cost does not grow with
 * the batch.
 */
export async function readBatchProgress(db: Db, batch: Batch) {
  const { documents, open, completed, failed, cancelled } = batch;
  const { rows: steps } = await db.execute<Step>(stepsStatement(batch));
  const { rows } = await db.execute<Clock>(clockStatement(batch));
  const { elapsed = 0, lately = 0, oldest = null } = rows[0] ?? {};
  const inFlight = steps.reduce((sum, { count }) => sum + count, 0);
  return {
    documents,
    open,
    waiting: Math.max(0, open - inFlight),
    inFlight,
    held: steps.reduce((sum, { held, count }) => sum + (held ? count : 0), 0),
    unpacked: await contentsInBatch(db, batch.id),
    cost: toDollars(await spentInBatch(db, batch.id)),
    completed,
    failed,
    cancelled,
    stages: steps,
    ...estimate({
      open,
      ended: completed + failed + cancelled,
      elapsedSeconds: elapsed,
      endedLately: lately,
      latelySeconds,
    }),
    oldestWaiting: oldest === null ? null : new Date(oldest),
  };
}

export function stepsStatement({ id, workspaceId }: Batch) {
  return sql`
    select t.stage, t.state, t.held, count(*)::int as count
      from ingestions i
      -- The offset keeps the planner from joining with all tasks that ever were.
      cross join lateral (select stage, state, case when not_before > now() then held->>'reason' end as held from tasks
                           where ingestion_id = i.id and state in ('ready', 'running') offset 0) t
     where i.workspace_id = ${workspaceId} and i.batch_id = ${id} and i.completed_at is null and i.admitted_at is not null
     group by t.stage, t.state, t.held order by t.stage, t.state, t.held`;
}

export function clockStatement({ id, workspaceId }: Batch) {
  return sql`
    select extract(epoch from coalesce(b.ended_at, now()) - b.started_at)::float8 as elapsed,
           (select count(*)::int from ingestions where batch_id = b.id and completed_at > now() - ${latelySeconds}::int * interval '1 second') as lately,
           (select created_at from ingestions where workspace_id = ${workspaceId} and waits_for = ${id}
               and completed_at is null and admitted_at is null order by created_at, id limit 1) as oldest
      from batches b where b.id = ${id}`;
}
