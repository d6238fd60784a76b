import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { type BatchMove, refusal, stateAfter } from '../domain/batch.ts';
import type { Ledger } from '../domain/batch-ledger.ts';
import { ConflictError } from '../errors.ts';
import type { Db } from './index.ts';
import { countLedger } from './ledger.ts';
import { runsWith, selectNewest, workspaceRuns } from './newest.ts';
import { batchItems } from './schema/batch-items.ts';
import { batches } from './schema/batches.ts';
import { documents } from './schema/documents.ts';

export type Batch = typeof batches.$inferSelect;
type BatchChange = PgUpdateSetSource<typeof batches>;

export async function findBatch(
  db: Db,
  id: string,
  workspaceId?: string,
): Promise<Batch | undefined> {
  const [batch] = await db
    .select()
    .from(batches)
    .where(and(eq(batches.id, id), inWorkspace(workspaceId)));
  return batch;
}

export interface BatchListing {
  workspaceId: string | undefined;
  state?: Batch['state'] | undefined;
  /** Batches older than this one. */
  before?: string | undefined;
  limit: number;
}

/** Newest first. */
export function listBatches(
  db: Db,
  { workspaceId, state, before, limit }: BatchListing,
): Promise<Batch[]> {
  const ids = selectNewest({
    from: sql`batches item`,
    runs: runsWith('state', state && [state], workspaceRuns(workspaceId, state !== undefined)),
    before,
    limit,
  });
  return db
    .select()
    .from(batches)
    .where(sql`${batches.id} = any(${ids})`)
    .orderBy(desc(batches.id))
    .limit(limit);
}

/**
 * Makes a legal move, or throws a ConflictError with the reason. The caller must hold the workspace
 * lock.
 */
export async function moveBatch(
  tx: Db,
  { id, state }: Batch,
  move: BatchMove,
  also: BatchChange = {},
): Promise<Batch> {
  const next = stateAfter(state, move);
  if (!next) throw new ConflictError(refusal(state, move));
  const [moved] = await tx
    .update(batches)
    .set({ ...also, state: next, progressAt: sql`now()` })
    .where(and(eq(batches.id, id), eq(batches.state, state)))
    .returning();
  if (!moved) throw new Error(`Batch ${id} was moved without the lock of its workspace`);
  return moved;
}

/**
 * The ledger of a batch. `seen` is the sender's count, if given, plus the items found in
 * containers.
 */
export function readLedger(
  db: Db,
  { id, itemsSeen, itemsInside, itemsExpected }: Batch,
): Promise<Ledger> {
  const seen = itemsExpected === null ? itemsSeen : itemsExpected + itemsInside;
  return countLedger(db, seen, {
    documents: eq(documents.batchId, id),
    items: eq(batchItems.batchId, id),
  });
}

function inWorkspace(workspaceId: string | undefined): SQL | undefined {
  return workspaceId === undefined ? undefined : eq(batches.workspaceId, workspaceId);
}
