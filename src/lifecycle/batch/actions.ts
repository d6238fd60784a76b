import { sql } from 'drizzle-orm';
import { type Batch, moveBatch } from '../../db/batches.ts';
import type { Db } from '../../db/index.ts';
import type { ItemKind } from '../../domain/batch-ledger.ts';
import { recordBatchEvent } from '../../engine/admission/batch/events.ts';
import { ConflictError } from '../../errors.ts';
import { assertFillable, recordItem } from '../../intake/batch-account.ts';
import { findRepeated } from '../../intake/insert-documents.ts';

const now = sql`now()`;

interface NotedItem {
  kind: ItemKind;
  name: string;
  reason: string;
  /** An item with the same key is recorded only once. */
  idempotencyKey?: string | undefined;
}

/** User actions on a batch; each runs inside `changeBatch`. */
export const batchActions = {
  async start(tx: Db, batch: Batch) {
    await moveBatch(tx, batch, 'start', { queuedAt: now });
    await recordBatchEvent(tx, batch.id, 'JOB_QUEUED', { priority: batch.priority });
  },

  /**
   * Seals the batch: no more documents will come. An unbalanced batch may be finished again with
   * the correct number of items. An empty batch is also started, as it has nothing to wait for.
   */
  async finish(tx: Db, batch: Batch, { items }: { items?: number | undefined }) {
    const amends = batch.state === 'unbalanced';
    if (batch.sealedAt && !amends) throw new ConflictError('The batch is already finished.');
    const finished = await moveBatch(tx, batch, 'finish', {
      sealedAt: now,
      itemsExpected: items ?? null,
    });
    await recordBatchEvent(tx, batch.id, 'BATCH_FINISHED_FILLING', {
      items: items ?? batch.itemsSeen,
    });
    if (finished.state === 'open' && finished.documents === 0)
      await batchActions.start(tx, finished);
  },

  /** Documents in progress continue, no others start, and the turn is free for the next batch. */
  async pause(tx: Db, batch: Batch) {
    await moveBatch(tx, batch, 'pause', { turnAt: null });
    await recordBatchEvent(tx, batch.id, 'BATCH_PAUSED');
  },

  async resume(tx: Db, batch: Batch) {
    await moveBatch(tx, batch, 'resume', { queuedAt: now, stuckAt: null });
    await recordBatchEvent(tx, batch.id, 'JOB_QUEUED', { priority: batch.priority });
  },

  async prioritise(tx: Db, batch: Batch, { priority }: { priority: number }) {
    await moveBatch(tx, batch, 'prioritise', { priority });
    await recordBatchEvent(tx, batch.id, 'BATCH_PRIORITY_CHANGED', {
      from: batch.priority,
      to: priority,
    });
  },

  /** Changes the cost ceiling of the batch; null = unlimited. */
  async limit(tx: Db, batch: Batch, { maxCostMicros }: { maxCostMicros: number | null }) {
    await moveBatch(tx, batch, 'limit', { maxCostMicros });
    const data = { fromMicros: batch.maxCostMicros, toMicros: maxCostMicros };
    await recordBatchEvent(tx, batch.id, 'BATCH_LIMIT_CHANGED', data);
  },

  /** Only marks the batch. The documents are cancelled afterwards, each in its own transaction. */
  async cancel(tx: Db, batch: Batch, { mode }: { mode: 'full' | 'partial' }) {
    await moveBatch(tx, batch, 'cancel', { cancelMode: mode });
    await recordBatchEvent(tx, batch.id, 'IMPORT_CANCELLED', { mode });
  },

  /** Records an item that the sender could not or would not send. */
  async note(tx: Db, batch: Batch, item: NotedItem) {
    const { idempotencyKey: key } = item;
    const place = { workspaceId: batch.workspaceId, batchId: batch.id };
    if (key !== undefined) {
      const repeated = await findRepeated(tx, place, [{ idempotencyKey: key }]);
      if (repeated.has(key)) return;
    }
    const noted = await moveBatch(tx, batch, 'account');
    if (noted.state !== 'unbalanced') assertFillable(noted);
    await recordItem(tx, noted, item);
  },
};
