import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Batch } from '../../db/batches.ts';
import type { Db } from '../../db/index.ts';
import { ingestions } from '../../db/schema/ingestions.ts';
import { afterEndings } from '../../engine/admission/batch/after-endings.ts';
import { cancelIngestion } from '../../engine/task/cancel.ts';
import { cancelWaiting } from '../../engine/task/end-ingestion.ts';
import type { Intake } from '../../intake/intake.ts';

type Needs = Pick<Intake, 'first' | 'giveUpMs' | 'announce'>;

/** So many are ended in one transaction. */
const page = 1000;

/**
 * Cancels the documents of a batch that is being cancelled; the last of them ends the batch. Those that wait go many at
 * a time, those under way each in a transaction of its own; partial: the latter are left to end by themselves.
 */
export async function cancelDocuments(db: Db, batch: Batch, intake: Needs): Promise<void> {
  while ((await cancelSomeWaiting(db, batch, intake)) === page);
  if (batch.cancelMode === 'partial') return;
  for (const { id } of await underWay(db, batch)) {
    const hints = await db.transaction((tx) => cancelIngestion(tx, id, intake));
    await intake.announce(hints ?? []);
  }
}

async function cancelSomeWaiting(
  db: Db,
  { id: batchId, workspaceId }: Batch,
  intake: Needs,
): Promise<number> {
  const { ended, hints } = await db.transaction(async (tx) => {
    const ids = await cancelWaiting(tx, { workspaceId, batchId, limit: page });
    return { ended: ids.length, hints: await afterEndings(tx, ids, intake) };
  });
  await intake.announce(hints);
  return ended;
}

/** As many as the window holds. */
function underWay(db: Db, { id, workspaceId }: Batch) {
  return db
    .select({ id: ingestions.id })
    .from(ingestions)
    .where(
      and(
        eq(ingestions.workspaceId, workspaceId),
        eq(ingestions.batchId, id),
        isNull(ingestions.completedAt),
        isNotNull(ingestions.admittedAt),
      ),
    );
}
