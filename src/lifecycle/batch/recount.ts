import { sql } from 'drizzle-orm';
import type { Batch } from '../../db/batches.ts';
import type { Db } from '../../db/index.ts';
import { recordBatchEvent } from '../../engine/admission/batch/events.ts';
import { changeBatch } from './change.ts';
import type { MonitorNeeds } from './monitor.ts';

type Counts = Pick<Batch, 'open' | 'completed' | 'failed' | 'cancelled'>;

/** Batches that say documents are open while none waits and none is under way. */
const suspectStatement = sql`
  select b.id from batches b
   where b.turn_at is not null and b.open > 0
     and not exists (select from ingestions i where i.workspace_id = b.workspace_id and i.batch_id = b.id
                        and i.completed_at is null and i.admitted_at is not null)
     and not exists (select from ingestions i where i.workspace_id = b.workspace_id and i.waits_for = b.id
                        and i.completed_at is null and i.admitted_at is null)`;

/**
 * The net under the counters: they are exact by construction, and if ever they are not, a batch is counted anew from its
 * documents instead of standing at 99 % for ever. That it was needed is on record.
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
