import { sql } from 'drizzle-orm';
import { type Batch, findBatch, moveBatch, readLedger } from '../../../db/batches.ts';
import type { Db } from '../../../db/index.ts';
import { difference } from '../../../domain/batch-ledger.ts';
import { recordBatchEvent } from './events.ts';
import { retryableLetters } from './retryable-letters.ts';

/**
 * Concludes a batch if nothing in it is open. Called whenever its last open document ends or the
 * batch is sealed, in that transaction and under the workspace's lock, so exactly one of several
 * concurrent callers concludes it.
 */
export async function concludeBatch(tx: Db, id: string): Promise<void> {
  const batch = await findBatch(tx, id);
  if (!batch || batch.open > 0) return;
  if (batch.state === 'cancelling') return endCancelled(tx, batch);
  if (batch.state === 'unbalanced') return closeBatch(tx, batch);
  if (batch.state !== 'active' || !batch.sealedAt) return;
  if (batch.redrivePass < batch.maxRedrives && (await hasRetryable(tx, batch)))
    return beginRedrive(tx, batch);
  await closeBatch(tx, batch);
}

/** Completes a batch whose documents have all ended, if every item is accounted for. */
async function closeBatch(tx: Db, batch: Batch): Promise<void> {
  const ledger = await readLedger(tx, batch);
  const { id, completed, failed, cancelled } = batch;
  const counts = { completed, failed, cancelled };
  if (difference(ledger) !== 0) {
    if (batch.state === 'unbalanced') return;
    await moveBatch(tx, batch, 'unbalance', { ledger, turnAt: null });
    await recordBatchEvent(tx, id, 'BATCH_UNBALANCED', { ledger, difference: difference(ledger) });
    return;
  }
  await recordBatchEvent(tx, id, 'JOB_FINISHED', counts);
  await recordBatchEvent(tx, id, 'BATCH_END_START');
  await moveBatch(tx, batch, 'complete', { ledger, turnAt: null, endedAt: sql`now()` });
  await recordBatchEvent(tx, id, 'BATCH_END_FINISHED', { ledger, ...counts });
  await recordBatchEvent(tx, id, 'LOADER_FINISHED', { state: 'completed' });
}

async function endCancelled(tx: Db, batch: Batch): Promise<void> {
  const ledger = await readLedger(tx, batch);
  await moveBatch(tx, batch, 'endCancel', { ledger, turnAt: null, endedAt: sql`now()` });
  await recordBatchEvent(tx, batch.id, 'LOADER_FINISHED', { state: 'cancelled' });
}

/** The batch monitor replays the dead letters, each in its own transaction. */
async function beginRedrive(tx: Db, batch: Batch): Promise<void> {
  const pass = batch.redrivePass + 1;
  await moveBatch(tx, batch, 'redrive', { redrivePass: pass, redriveAt: sql`now()` });
  await recordBatchEvent(tx, batch.id, 'BATCH_REDRIVE', {
    pass,
    final: pass === batch.maxRedrives,
  });
}

async function hasRetryable(tx: Db, { id, failed }: Batch): Promise<boolean> {
  return failed > 0 && (await retryableLetters(tx, id, { limit: 1 })).length > 0;
}
