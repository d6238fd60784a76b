import { sql } from 'drizzle-orm';
import { type Batch, findBatch, moveBatch } from '../../db/batches.ts';
import type { Db } from '../../db/index.ts';
import type { BatchState } from '../../domain/batch.ts';
import { recordBatchEvent } from '../../engine/admission/batch/events.ts';
import type { Intake } from '../../intake/intake.ts';
import { cancelDocuments } from './cancel-documents.ts';
import { changeBatch, fillWorkspace } from './change.ts';
import { redriveBatch } from './redrive.ts';

export type MonitorNeeds = Pick<Intake, 'first' | 'giveUpMs' | 'announce'>;

/** States in which a batch needs a push from outside its documents. */
const pushes: Partial<
  Record<BatchState, (db: Db, batch: Batch, intake: MonitorNeeds) => Promise<unknown>>
> = {
  cancelling: cancelDocuments,
  redriving: redriveBatch,
};

/** Moves on what waits for no document: cancellations and passes over dead letters. */
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

/**
 * A batch that has the turn but nothing under way, and where nothing happened for the grace period (its sender is gone),
 * gives it up to one that waits. It is paused, not lost, and the reason is on record.
 */
export async function releaseStuck(db: Db, intake: MonitorNeeds, graceMs: number): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(stuckStatement(graceMs));
  let released = 0;
  await forEach(rows, async ({ id }) => {
    const { hints } = await changeBatch(db, { id }, intake, async (tx, batch) => {
      const { rows: still } = await tx.execute<{ id: string }>(stuckStatement(graceMs));
      if (!still.some((each) => each.id === id)) return;
      await moveBatch(tx, batch, 'release', { turnAt: null });
      await recordBatchEvent(tx, id, 'BATCH_RELEASED', {
        reason: 'stuck',
        graceMs,
        lastProgress: batch.progressAt,
      });
      released += 1;
    });
    await intake.announce(hints);
  });
  return released;
}

export function stuckStatement(graceMs: number) {
  return sql`
    select b.id from batches b
     where b.turn_at is not null and b.state in ('active', 'redriving')
       and b.progress_at < now() - ${graceMs}::float8 * interval '1 millisecond'
       and exists (select from batches q where q.workspace_id = b.workspace_id and q.state = 'queued')
       and not exists (select from ingestions i where i.workspace_id = b.workspace_id and i.batch_id = b.id
                          and i.completed_at is null and i.admitted_at is not null)`;
}

/** The net under turn and window: what a crash or a raised limit left free is given away. */
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

/** One that fails does not keep the others waiting; its error comes after them. */
async function forEach<T>(rows: readonly T[], work: (row: T) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  for (const row of rows) await work(row).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** Workspaces where something waits that might start; a probe of an index each, which the order compels. */
export const idleStatement = sql`
  select w.id from workspaces w
   where (select i.id from ingestions i where i.workspace_id = w.id and i.waits_for is null and i.completed_at is null
              and i.admitted_at is null order by i.created_at, i.id limit 1) is not null
      or exists (select from batches b join ingestions i on i.workspace_id = w.id and i.waits_for = b.id
                    and i.completed_at is null and i.admitted_at is null
                  where b.workspace_id = w.id and b.turn_at is not null and b.state in ('active', 'redriving'))
      or (exists (select from batches q where q.workspace_id = w.id and q.state = 'queued')
          and not exists (select from batches t where t.workspace_id = w.id and t.turn_at is not null))`;
