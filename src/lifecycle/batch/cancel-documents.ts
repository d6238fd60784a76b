import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Batch } from '../../db/batches.ts';
import type { Db } from '../../db/index.ts';
import { ingestions } from '../../db/schema/ingestions.ts';
import { afterEndings } from '../../engine/admission/batch/after-endings.ts';
import { cancelIngestion } from '../../engine/task/cancel.ts';
import { cancelWaiting } from '../../engine/task/effects.ts';
import type { Intake } from '../../intake/intake.ts';

type Needs = Pick<Intake, 'first' | 'giveUpMs' | 'announce'>;

/** Documents cancelled per transaction. */
const page = 1000;

/**
 * Cancels the documents of a batch that is being cancelled; the last one ends the batch. Waiting
 * documents are cancelled in pages, those in progress each in its own transaction. In partial mode
 * documents in progress are left to finish.
 */
export async function cancelDocuments(db: Db, batch: Batch, intake: Needs): Promise<void> {
  while ((await cancelSomeWaiting(db, batch, intake)) === page);
  if (batch.cancelMode === 'partial') return;
  for (const { id } of await listInProgress(db, batch)) {
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

/** At most the size of the window. */
function listInProgress(db: Db, { id, workspaceId }: Batch) {
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
