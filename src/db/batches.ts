import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { type BatchMove, refusal, stateAfter } from '../domain/batch.ts';
import type { ItemKind, Ledger } from '../domain/batch-ledger.ts';
import { ConflictError } from '../errors.ts';
import type { Db } from './index.ts';
import { newestOf, runsWith, workspaceRuns } from './newest.ts';
import { batchItems } from './schema/batch-items.ts';
import { batches } from './schema/batches.ts';
import { documents } from './schema/documents.ts';

export type Batch = typeof batches.$inferSelect;
type BatchChange = PgUpdateSetSource<typeof batches>;

export async function findBatch(db: Db, id: string, workspaceId?: string): Promise<Batch | undefined> {
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
export function listBatches(db: Db, { workspaceId, state, before, limit }: BatchListing): Promise<Batch[]> {
  const ids = newestOf({
    from: sql`batches item`,
    runs: runsWith('state', state && [state], workspaceRuns(workspaceId, state !== undefined)),
    before,
    limit,
  });
  return db.select().from(batches).where(sql`${batches.id} = any(${ids})`).orderBy(desc(batches.id)).limit(limit);
}

/** Makes a legal move, and refuses any other with the reason. The caller holds the lock of the batch's workspace. */
export async function moveBatch(tx: Db, { id, state }: Batch, move: BatchMove, also: BatchChange = {}): Promise<Batch> {
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

/** Counted from the rows themselves and not from the counters that it is there to check. */
export async function ledgerOf(db: Db, { id, itemsSeen, itemsExpected }: Batch): Promise<Ledger> {
  const [found] = await db.select({ documents: count() }).from(documents).where(eq(documents.batchId, id));
  const kinds = await db
    .select({ kind: batchItems.kind, items: count() })
    .from(batchItems)
    .where(eq(batchItems.batchId, id))
    .groupBy(batchItems.kind);
  const of = (kind: ItemKind) => kinds.find((each) => each.kind === kind)?.items ?? 0;
  return {
    seen: itemsExpected ?? itemsSeen,
    documents: found?.documents ?? 0,
    duplicate: of('duplicate'),
    known: of('known'),
    skipped: of('skipped'),
    exception: of('exception'),
  };
}

function inWorkspace(workspaceId: string | undefined): SQL | undefined {
  return workspaceId === undefined ? undefined : eq(batches.workspaceId, workspaceId);
}
