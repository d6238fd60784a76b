import { eq, sql } from 'drizzle-orm';
import { appendEvent } from '../db/events.ts';
import type { Db } from '../db/index.ts';
import { documents } from '../db/schema/documents.ts';
import { ingestions } from '../db/schema/ingestions.ts';
import { tasks } from '../db/schema/tasks.ts';
import type { Overrides } from '../domain/overrides.ts';
import { type Admission, admitWaiting, lockWorkspaces } from '../engine/admission.ts';
import type { Announcement } from '../engine/task.ts';
import { newId } from '../lib/ids.ts';
import { batchToFill, countAdded, countAgain, originalInBatch, recordItem } from './batch/account.ts';
import { findRepeated } from './find-repeated.ts';
import type { Fingerprints } from './hash.ts';
import { inheritance } from './inheritance.ts';

export interface NewDocument extends Fingerprints {
  id: string;
  workspaceId: string;
  batchId: string | null;
  name: string;
  declaredType: string | null;
  storageKey: string;
  idempotencyKey: string | null;
}

export interface Admitted {
  /** `duplicate`: the batch has these bytes already; `repeated`: the request was answered before. Neither makes a document. */
  outcome: 'added' | 'duplicate' | 'repeated';
  documentId: string;
  /** To be announced after the commit. */
  hints: Announcement[];
}

/**
 * The only way a document comes to exist: row, ingestion and event, in the caller's transaction. It starts at once when
 * its workspace has room for it, and waits without a task otherwise.
 */
export async function admit(tx: Db, document: NewDocument, admission: Admission): Promise<Admitted> {
  const { id: documentId, workspaceId, batchId, name, bytes, sha256 } = document;
  await lockWorkspaces(tx, [workspaceId]);
  const repeated = await findRepeated(tx, document);
  if (repeated) return { outcome: 'repeated', documentId: repeated, hints: [] };
  const batch = batchId === null ? undefined : await batchToFill(tx, batchId, workspaceId);
  const original = batch && (await originalInBatch(tx, batch.id, sha256));
  if (batch && original) {
    const reason = `The same bytes are in the batch as ${original.name}`;
    await recordItem(tx, batch, { ...document, documentId: original.id, kind: 'duplicate', reason });
    return { outcome: 'duplicate', documentId: original.id, hints: [] };
  }
  const ingestionId = newId();
  await tx.insert(documents).values({ ...document, ingestionId });
  await tx.insert(ingestions).values({ id: ingestionId, documentId, workspaceId, batchId, waitsFor: batchId });
  await appendEvent(tx, 'DOCUMENT_ADDED', ingestionId, { documentId, name, bytes }, batchId);
  if (batch) await countAdded(tx, batch.id);
  const mayStart = !batch || batch.turnAt !== null;
  return { outcome: 'added', documentId, hints: mayStart ? await admitWaiting(tx, workspaceId, admission) : [] };
}

export interface Run {
  overrides?: Overrides | undefined;
  delayMs?: number | undefined;
}

/** A new run of a document that is there already. The caller has made sure that no other run is under way. */
export async function readmit(
  tx: Db,
  documentId: string,
  admission: Admission,
  { overrides = {}, delayMs }: Run = {},
): Promise<Announcement[]> {
  const [document] = await tx
    .select({
      workspaceId: documents.workspaceId,
      batchId: documents.batchId,
      before: ingestions.id,
      status: ingestions.status,
    })
    .from(documents)
    .innerJoin(ingestions, eq(ingestions.id, documents.ingestionId))
    .where(eq(documents.id, documentId));
  if (!document) throw new Error(`There is no document ${documentId} to run again`);
  const { workspaceId, batchId, before, status } = document;
  await lockWorkspaces(tx, [workspaceId]);
  const waitsFor = batchId === null ? null : await countAgain(tx, batchId, status);
  const ingestionId = newId();
  const { fromStage: stage = admission.first } = overrides;
  const inherited = stage === admission.first ? {} : await inheritance(tx, before, stage);
  await tx
    .insert(ingestions)
    .values({ id: ingestionId, documentId, workspaceId, batchId, waitsFor, overrides, ...inherited });
  await tx.update(documents).set({ ingestionId, updatedAt: sql`now()` }).where(eq(documents.id, documentId));
  await appendEvent(tx, 'DOCUMENT_REPROCESSED', ingestionId, { documentId, ...overrides }, batchId);
  const hints = await admitWaiting(tx, workspaceId, admission);
  return delayMs ? postponed(tx, ingestionId, delayMs, hints) : hints;
}

/** Of the tasks that were just made, the one of this ingestion is to wait; the relay announces it in time. */
async function postponed(tx: Db, ingestionId: string, delayMs: number, hints: Announcement[]): Promise<Announcement[]> {
  const [delayed] = await tx
    .update(tasks)
    .set({ notBefore: sql`now() + ${delayMs} * interval '1 millisecond'`, announcedAt: null })
    .where(eq(tasks.ingestionId, ingestionId))
    .returning({ id: tasks.id });
  return hints.filter(({ taskId }) => taskId !== delayed?.id);
}
