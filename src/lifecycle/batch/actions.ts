import { sql } from 'drizzle-orm';
import { type Batch, moveBatch } from '../../db/batches.ts';
import type { Db } from '../../db/index.ts';
import type { ItemKind } from '../../domain/batch-ledger.ts';
import { recordBatchEvent } from '../../engine/admission/batch/events.ts';
import { ConflictError } from '../../errors.ts';
import { assertFillable, recordItem } from '../../intake/batch-account.ts';
import { findRepeated } from '../../intake/find-repeated.ts';

const now = sql`now()`;

interface NotedItem {
  kind: ItemKind;
  name: string;
  reason: string;
  /** Under the same it is noted once. */
  idempotencyKey?: string | undefined;
}

/** What people do with a batch; each is the inside of `changeBatch`. */
export const batchActions = {
  async start(tx: Db, batch: Batch) {
    await moveBatch(tx, batch, 'start', { queuedAt: now });
    await recordBatchEvent(tx, batch.id, 'JOB_QUEUED', { priority: batch.priority });
  },

  /** No more will come; an unbalanced batch may be finished again with the right number. An empty batch has nothing to wait for and is started as well. */
  async finish(tx: Db, batch: Batch, { items }: { items?: number | undefined }) {
    const amends = batch.state === 'unbalanced';
    if (batch.sealedAt && !amends) throw new ConflictError('The batch was finished already.');
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

  /** Documents under way go on; no other starts, and the turn is free for the next batch. */
  async pause(tx: Db, batch: Batch) {
    await moveBatch(tx, batch, 'pause', { turnAt: null });
    await recordBatchEvent(tx, batch.id, 'BATCH_PAUSED');
  },

  async resume(tx: Db, batch: Batch) {
    await moveBatch(tx, batch, 'resume', { queuedAt: now });
    await recordBatchEvent(tx, batch.id, 'JOB_QUEUED', { priority: batch.priority });
  },

  async prioritise(tx: Db, batch: Batch, { priority }: { priority: number }) {
    await moveBatch(tx, batch, 'prioritise', { priority });
    await recordBatchEvent(tx, batch.id, 'BATCH_PRIORITY_CHANGED', {
      from: batch.priority,
      to: priority,
    });
  },

  /** What its documents may cost from now on; null = any amount. */
  async limit(tx: Db, batch: Batch, { maxCostMicros }: { maxCostMicros: number | null }) {
    await moveBatch(tx, batch, 'limit', { maxCostMicros });
    const data = { fromMicros: batch.maxCostMicros, toMicros: maxCostMicros };
    await recordBatchEvent(tx, batch.id, 'BATCH_LIMIT_CHANGED', data);
  },

  /** Only says so: the documents are cancelled afterwards, each in a transaction of its own. */
  async cancel(tx: Db, batch: Batch, { mode }: { mode: 'full' | 'partial' }) {
    await moveBatch(tx, batch, 'cancel', { cancelMode: mode });
    await recordBatchEvent(tx, batch.id, 'IMPORT_CANCELLED', { mode });
  },

  /** An item that the sender knows of and could not or would not send. */
  async note(tx: Db, batch: Batch, item: NotedItem) {
    const { idempotencyKey: key } = item;
    const place = { workspaceId: batch.workspaceId, batchId: batch.id };
    if (key !== undefined && (await findRepeated(tx, place, [key])).has(key)) return;
    const noted = await moveBatch(tx, batch, 'account');
    if (noted.state !== 'unbalanced') assertFillable(noted);
    await recordItem(tx, noted, item);
  },
};
