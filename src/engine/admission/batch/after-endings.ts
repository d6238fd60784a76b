import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/index.ts';
import type { Announcement } from '../../task/task.ts';
import { type Admission, admitWaiting, lockWorkspaces } from '../admission.ts';
import { concludeBatch } from './conclude.ts';
import { recordBatchEvent } from './events.ts';
import { giveTurn } from './turn.ts';

type Ended = {
  document_id: string;
  workspace_id: string;
  batch_id: string | null;
  status: 'completed' | 'failed' | 'cancelled';
};

/**
 * Must run as the last step of every transaction that ends ingestions. Their batches count them and
 * may be concluded, the next batch gets the turn, and the freed slots in the window are filled.
 * Returns the hints to announce after the commit.
 */
export async function afterEndings(
  tx: Db,
  ingestionIds: readonly string[],
  admission: Admission,
): Promise<Announcement[]> {
  if (ingestionIds.length === 0) return [];
  // now() is the start of this transaction, so exactly the ingestions it ended carry that time.
  const { rows: ended } = await tx.execute<Ended>(sql`
    select document_id, workspace_id, batch_id, status from ingestions
     where id = any(${sql.param(ingestionIds)}::uuid[]) and completed_at = now()`);
  if (ended.length === 0) return [];
  const workspaceIds = [...new Set(ended.map(({ workspace_id }) => workspace_id))].sort();
  await lockWorkspaces(tx, workspaceIds);
  for (const batchId of new Set(ended.map(({ batch_id }) => batch_id))) {
    if (batchId === null) continue;
    await countEnded(
      tx,
      batchId,
      ended.filter(({ batch_id }) => batch_id === batchId),
    );
    await concludeBatch(tx, batchId);
  }
  const admitted: Announcement[] = [];
  for (const workspaceId of workspaceIds) {
    if (
      ended.some(({ workspace_id, batch_id }) => workspace_id === workspaceId && batch_id !== null)
    )
      await giveTurn(tx, workspaceId);
    admitted.push(...(await admitWaiting(tx, workspaceId, admission)));
  }
  return admitted;
}

async function countEnded(tx: Db, batchId: string, ended: Ended[]): Promise<void> {
  const of = (status: Ended['status']) => ended.filter((each) => each.status === status).length;
  const { rows } = await tx.execute<
    Record<'open' | 'completed' | 'failed' | 'cancelled', number>
  >(sql`
    update batches
       set open = open - ${ended.length}::int, completed = completed + ${of('completed')}::int,
           failed = failed + ${of('failed')}::int, cancelled = cancelled + ${of('cancelled')}::int, progress_at = now()
     where id = ${batchId}
    returning open, completed, failed, cancelled`);
  const documents = ended.map(({ document_id: id, status }) => ({ id, status }));
  await recordBatchEvent(tx, batchId, 'BATCH_PROGRESS', { ...rows[0], documents });
}
