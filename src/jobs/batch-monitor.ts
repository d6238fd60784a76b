import { sql } from 'drizzle-orm';
import { type Batch, findBatch } from '../db/batches.ts';
import type { Db } from '../db/index.ts';
import type { BatchState } from '../domain/batch.ts';
import { recordBatchEvent } from '../engine/admission/batch/events.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { forEach } from '../lib/for-each.ts';
import { SECOND } from '../lib/time.ts';
import { cancelDocuments } from '../lifecycle/batch/cancel-documents.ts';
import { changeBatch, fillWorkspace } from '../lifecycle/batch/change.ts';
import { redriveBatch } from '../lifecycle/batch/redrive.ts';
import { type MonitorNeeds, releaseIdle, releaseUnmoving, resumeMoving } from './stuck-batches.ts';

/** Advances batches that do not advance through their documents, and fills free turns and slots. */
export const batchMonitor: IntervalJob = {
  everyMs: 2 * SECOND,
  async run({ database: { db }, queues, admission, batchGraceMs, batchStuckMs }) {
    const intake = { ...admission, announce: queues.announce };
    await pushBatches(db, intake);
    const released = await releaseIdle(db, intake, batchGraceMs);
    const stuck = await releaseUnmoving(db, intake, batchStuckMs);
    const resumed = await resumeMoving(db, intake);
    const admitted = await fillWorkspaces(db, intake);
    const recounted = await recountSuspects(db, intake);
    return { released, stuck, resumed, admitted, recounted };
  },
};

const pushes: Partial<
  Record<BatchState, (db: Db, batch: Batch, intake: MonitorNeeds) => Promise<unknown>>
> = {
  cancelling: cancelDocuments,
  redriving: redriveBatch,
};

/** Advances cancellations and redrive passes. */
export async function pushBatches(db: Db, intake: MonitorNeeds): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from batches where state in ('redriving', 'cancelling') order by id limit 100`,
  );
  await forEach(rows, async ({ id }) => {
    const batch = await findBatch(db, id);
    if (batch) await pushes[batch.state]?.(db, batch, intake);
  });
  return rows.length;
}

/** Safety net for turns and windows: assigns what a crash or a raised limit left free. */
export async function fillWorkspaces(db: Db, intake: MonitorNeeds): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(idleStatement);
  let admitted = 0;
  await forEach(rows, async ({ id }) => {
    const hints = await fillWorkspace(db, id, intake);
    await intake.announce(hints);
    admitted += hints.length;
  });
  return admitted;
}

/** Workspaces where something may start. The ORDER BY forces one index probe for each. */
export const idleStatement = sql`
  select w.id from workspaces w
   where (select i.id from ingestions i where i.workspace_id = w.id and i.waits_for is null and i.completed_at is null
              and i.admitted_at is null order by i.created_at, i.id limit 1) is not null
      or exists (select from batches b join ingestions i on i.workspace_id = w.id and i.waits_for = b.id
                    and i.completed_at is null and i.admitted_at is null
                  where b.workspace_id = w.id and b.turn_at is not null and b.state in ('active', 'redriving'))
      or (exists (select from batches q where q.workspace_id = w.id and q.state = 'queued')
          and not exists (select from batches t where t.workspace_id = w.id and t.turn_at is not null))`;

type Counts = Pick<Batch, 'open' | 'completed' | 'failed' | 'cancelled'>;

/** Batches with open documents by their counter, although none waits and none is in progress. */
const suspectStatement = sql`
  select b.id from batches b
   where b.turn_at is not null and b.open > 0
     and not exists (select from ingestions i where i.workspace_id = b.workspace_id and i.batch_id = b.id
                        and i.completed_at is null and i.admitted_at is not null)
     and not exists (select from ingestions i where i.workspace_id = b.workspace_id and i.waits_for = b.id
                        and i.completed_at is null and i.admitted_at is null)`;

/**
 * Safety net for the counters. They are exact by construction; if one is ever wrong, the batch is
 * recounted from its documents instead of never finishing. An event records it.
 */
export async function recountSuspects(db: Db, intake: MonitorNeeds): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(suspectStatement);
  for (const { id } of rows) {
    const { hints } = await changeBatch(db, { id }, intake, async (tx, batch) => {
      const counted = await countDocuments(tx, id);
      const { open, completed, failed, cancelled } = batch;
      if (counted.open === open) return;
      await tx.execute(sql`
        update batches set documents = ${counted.open + counted.completed + counted.failed + counted.cancelled},
               open = ${counted.open}, completed = ${counted.completed}, failed = ${counted.failed},
               cancelled = ${counted.cancelled}, progress_at = now()
         where id = ${id}`);
      await recordBatchEvent(tx, id, 'BATCH_RECOUNTED', {
        was: { open, completed, failed, cancelled },
        is: counted,
      });
    });
    await intake.announce(hints);
  }
  return rows.length;
}

async function countDocuments(tx: Db, batchId: string): Promise<Counts> {
  const { rows } = await tx.execute<Counts>(sql`
    select count(*) filter (where i.status = 'in-progress')::int as open,
           count(*) filter (where i.status = 'completed')::int as completed,
           count(*) filter (where i.status = 'failed')::int as failed,
           count(*) filter (where i.status = 'cancelled')::int as cancelled
      from documents d join ingestions i on i.id = d.ingestion_id where d.batch_id = ${batchId}`);
  return rows[0] ?? { open: 0, completed: 0, failed: 0, cancelled: 0 };
}
