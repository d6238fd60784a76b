import { type SQL, sql } from 'drizzle-orm';
import { type Batch, moveBatch } from '../db/batches.ts';
import type { Db } from '../db/index.ts';
import { recordBatchEvent } from '../engine/admission/batch/events.ts';
import type { Intake } from '../intake/intake.ts';
import { forEach } from '../lib/for-each.ts';
import { changeBatch } from '../lifecycle/batch/change.ts';

export type MonitorNeeds = Pick<Intake, 'first' | 'giveUpMs' | 'announce'>;

/**
 * Takes the turn from a batch that has no document in progress and no progress for the grace
 * period (its sender is gone), if another batch waits.
 */
export function releaseIdle(db: Db, intake: MonitorNeeds, graceMs: number): Promise<number> {
  return changeAll(db, intake, idleBatches(graceMs), async (tx, batch) => {
    await moveBatch(tx, batch, 'release', { turnAt: null });
    await recordBatchEvent(tx, batch.id, 'BATCH_RELEASED', {
      reason: 'stuck',
      graceMs,
      lastProgress: batch.progressAt,
    });
  });
}

/**
 * Takes the turn from a batch whose documents in progress have not ended for so long, if another
 * batch waits. Its documents in progress continue.
 */
export function releaseUnmoving(db: Db, intake: MonitorNeeds, stuckMs: number): Promise<number> {
  return changeAll(db, intake, unmovingBatches(stuckMs), async (tx, batch) => {
    await moveBatch(tx, batch, 'release', { turnAt: null, stuckAt: sql`now()` });
    await recordBatchEvent(tx, batch.id, 'BATCH_RELEASED', {
      reason: 'documents-do-not-end',
      stuckMs,
      open: batch.open,
      lastProgress: batch.progressAt,
    });
  });
}

/** A batch that gave up its turn queues again as soon as one of its documents has ended. */
export function resumeMoving(db: Db, intake: MonitorNeeds): Promise<number> {
  return changeAll(db, intake, movingStatement, async (tx, batch) => {
    await moveBatch(tx, batch, 'resume', { queuedAt: sql`now()`, stuckAt: null });
    await recordBatchEvent(tx, batch.id, 'JOB_QUEUED', { priority: batch.priority });
  });
}

async function changeAll(
  db: Db,
  intake: MonitorNeeds,
  statement: SQL,
  change: (tx: Db, batch: Batch) => Promise<void>,
): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(statement);
  let changed = 0;
  await forEach(rows, async ({ id }) => {
    const { hints } = await changeBatch(db, { id }, intake, async (tx, batch) => {
      // Checked again under the lock.
      const { rows: still } = await tx.execute<{ id: string }>(statement);
      if (!still.some((each) => each.id === id)) return;
      await change(tx, batch);
      changed += 1;
    });
    await intake.announce(hints);
  });
  return changed;
}

export function idleBatches(graceMs: number): SQL {
  return sql`${heldTurns(graceMs)} and not ${hasDocumentInProgress}`;
}

function unmovingBatches(stuckMs: number): SQL {
  return sql`${heldTurns(stuckMs)} and ${hasDocumentInProgress}`;
}

/** Batches that hold the turn without progress for so long, while another batch waits for it. */
function heldTurns(forMs: number): SQL {
  return sql`
    select b.id from batches b
     where b.turn_at is not null and b.state in ('active', 'redriving')
       and b.progress_at < now() - ${forMs}::float8 * interval '1 millisecond'
       and exists (select from batches q where q.workspace_id = b.workspace_id and q.state = 'queued')`;
}

const hasDocumentInProgress = sql`
  exists (select from ingestions i where i.workspace_id = b.workspace_id and i.batch_id = b.id
             and i.completed_at is null and i.admitted_at is not null)`;

/** The release itself counts as progress, so anything later is a document that ended. */
const movingStatement = sql`
  select id from batches where state = 'paused' and ended_at is null and progress_at > stuck_at`;
