import { and, eq, isNotNull, isNull, type SQL } from 'drizzle-orm';
import type { Batch } from '../../db/batches.ts';
import type { Db } from '../../db/index.ts';
import { ingestions } from '../../db/schema/ingestions.ts';
import { cancelIngestion } from '../../engine/cancel.ts';
import type { Intake } from '../upload.ts';

type Needs = Pick<Intake, 'first' | 'giveUpMs' | 'announce'>;

/**
 * Cancels documents of a batch that is being cancelled, at most so many at a time; the last of them ends the batch.
 * Partial: those under way are left to end by themselves.
 */
export async function cancelDocuments(db: Db, batch: Batch, intake: Needs, limit: number): Promise<number> {
  const found = await openDocuments(db, batch, limit);
  let cancelled = 0;
  for (const { id } of found) {
    const hints = await db.transaction((tx) => cancelIngestion(tx, id, intake));
    if (!hints) continue;
    cancelled += 1;
    await intake.announce(hints);
  }
  return cancelled;
}

async function openDocuments(db: Db, { id, workspaceId, cancelMode }: Batch, limit: number) {
  const some = (where: SQL | undefined) =>
    db
      .select({ id: ingestions.id })
      .from(ingestions)
      .where(and(eq(ingestions.workspaceId, workspaceId), isNull(ingestions.completedAt), where))
      .limit(limit);
  const waiting = await some(and(eq(ingestions.waitsFor, id), isNull(ingestions.admittedAt)));
  if (waiting.length > 0 || cancelMode === 'partial') return waiting;
  return some(and(eq(ingestions.batchId, id), isNotNull(ingestions.admittedAt)));
}
