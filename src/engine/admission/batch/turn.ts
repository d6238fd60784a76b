import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { type Batch, moveBatch } from '../../../db/batches.ts';
import type { Db } from '../../../db/index.ts';
import { batches } from '../../../db/schema/batches.ts';
import { concludeBatch } from './conclude.ts';
import { recordBatchEvent } from './events.ts';

/**
 * Gives the turn to the next batch of a workspace if no batch has it. The caller holds the
 * workspace's lock, so the next batch starts in the transaction that ends the previous one. A batch
 * with nothing left to do passes the turn on at once.
 */
export async function giveTurn(tx: Db, workspaceId: string): Promise<void> {
  while (!(await holderOf(tx, workspaceId))) {
    const next = await nextInLine(tx, workspaceId);
    if (!next) return;
    const { id, name, type, priority } = await moveBatch(tx, next, 'activate', {
      turnAt: sql`now()`,
      startedAt: sql`coalesce(${batches.startedAt}, now())`,
    });
    await recordBatchEvent(tx, id, 'JOB_STARTED', { name, type, priority });
    await concludeBatch(tx, id);
  }
}

async function holderOf(tx: Db, workspaceId: string): Promise<boolean> {
  const held = await tx
    .select({ id: batches.id })
    .from(batches)
    .where(and(eq(batches.workspaceId, workspaceId), isNotNull(batches.turnAt)));
  return held.length > 0;
}

/** One hour of waiting counts as one step of priority, so that urgent batches starve none. */
const rank = sql`${batches.priority} - floor(extract(epoch from now() - ${batches.queuedAt}) / 3600)`;

async function nextInLine(tx: Db, workspaceId: string): Promise<Batch | undefined> {
  const [next] = await tx
    .select()
    .from(batches)
    .where(and(eq(batches.workspaceId, workspaceId), eq(batches.state, 'queued')))
    .orderBy(rank, batches.createdAt, batches.id)
    .limit(1);
  return next;
}
