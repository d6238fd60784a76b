import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { type Batch, findBatch } from '../db/batches.ts';
import type { Db } from '../db/index.ts';
import { batchItems } from '../db/schema/batch-items.ts';
import { batches } from '../db/schema/batches.ts';
import { documents } from '../db/schema/documents.ts';
import type { ingestions } from '../db/schema/ingestions.ts';
import { type BatchState, refusal, stateAfter } from '../domain/batch.ts';
import { recordBatchEvent } from '../engine/admission/batch/events.ts';
import { ConflictError, NotFoundError } from '../errors.ts';
import { newId } from '../lib/ids.ts';

/** The caller of each of these functions holds the lock of the batch's workspace. */

/** The batch; throws if it takes no more documents. */
export async function batchToFill(tx: Db, id: string, workspaceId: string): Promise<Batch> {
  const batch = await findBatch(tx, id, workspaceId);
  if (!batch) throw new NotFoundError(`There is no batch ${id}`);
  assertFillable(batch);
  return batch;
}

export function assertFillable({ state, sealedAt }: Batch): void {
  if (!stateAfter(state, 'fill')) throw new ConflictError(refusal(state, 'fill'));
  if (sealedAt)
    throw new ConflictError('The batch cannot take more documents: it is already finished.');
}

export async function originalsInBatch(tx: Db, batchId: string, hashes: string[]) {
  const found = await tx
    .select({ id: documents.id, name: documents.name, sha256: documents.sha256 })
    .from(documents)
    .where(
      and(
        eq(documents.batchId, batchId),
        inArray(documents.sha256, hashes),
        isNull(documents.deletedAt),
      ),
    );
  return new Map(found.map((document) => [document.sha256, document]));
}

type NewItem = Pick<typeof batchItems.$inferInsert, 'kind' | 'name' | 'reason'> &
  Partial<
    Pick<typeof batchItems.$inferInsert, 'documentId' | 'bytes' | 'sha256' | 'idempotencyKey'>
  >;

/** Records an item that does not become a document. */
export async function recordItem(tx: Db, { id: batchId }: Batch, item: NewItem): Promise<void> {
  const { kind, name, reason, documentId, bytes, sha256, idempotencyKey } = item;
  await tx.insert(batchItems).values({
    id: newId(),
    batchId,
    kind,
    name,
    reason,
    documentId,
    bytes,
    sha256,
    idempotencyKey,
  });
  await countItems(tx, batchId, 1);
  await recordBatchEvent(tx, batchId, 'ITEM_NOT_TAKEN', { kind, name, reason });
}

async function countItems(tx: Db, batchId: string, items: number): Promise<void> {
  await tx
    .update(batches)
    .set({ itemsSeen: sql`${batches.itemsSeen} + ${items}`, progressAt: sql`now()` })
    .where(eq(batches.id, batchId));
}

/** Counts the entries of a container: those that became documents and those that did not. */
export async function countEntries(
  tx: Db,
  batchId: string,
  { added, items }: { added: number; items: number },
): Promise<void> {
  await countAdded(tx, batchId, added);
  await countItems(tx, batchId, items);
  await tx
    .update(batches)
    .set({ itemsInside: sql`${batches.itemsInside} + ${added + items}` })
    .where(eq(batches.id, batchId));
}

export async function countAdded(tx: Db, batchId: string, added: number): Promise<void> {
  await tx
    .update(batches)
    .set({
      itemsSeen: sql`${batches.itemsSeen} + ${added}`,
      documents: sql`${batches.documents} + ${added}`,
      open: sql`${batches.open} + ${added}`,
      progressAt: sql`now()`,
    })
    .where(eq(batches.id, batchId));
}

/**
 * In these states a document that runs again waits for the turn of its batch. In any other state
 * the batch is over, and the document runs on its own.
 */
const turnAhead: readonly BatchState[] = ['open', 'queued', 'active', 'redriving', 'paused'];

/** Counts a document of the batch as open again. Returns the batch whose turn it must wait for. */
export async function countAgain(
  tx: Db,
  batchId: string,
  before: (typeof ingestions.$inferSelect)['status'],
): Promise<string | null> {
  if (before === 'in-progress')
    throw new Error(`A document of batch ${batchId} is already in progress`);
  const counter = batches[before];
  const [batch] = await tx
    .update(batches)
    .set({ open: sql`${batches.open} + 1`, [before]: sql`${counter} - 1`, progressAt: sql`now()` })
    .where(eq(batches.id, batchId))
    .returning({ state: batches.state });
  if (batch?.state === 'cancelling')
    throw new ConflictError('The batch of the document is being cancelled.');
  return batch && turnAhead.includes(batch.state) ? batchId : null;
}
