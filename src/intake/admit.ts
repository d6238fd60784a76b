import { eq, sql } from 'drizzle-orm';
import type { Batch } from '../db/batches.ts';
import { appendEvent } from '../db/events.ts';
import type { Db } from '../db/index.ts';
import { documents } from '../db/schema/documents.ts';
import { ingestions } from '../db/schema/ingestions.ts';
import { tasks } from '../db/schema/tasks.ts';
import type { Overrides } from '../domain/overrides.ts';
import { type Admission, admitWaiting, lockWorkspaces } from '../engine/admission/admission.ts';
import type { Announcement } from '../engine/task/task.ts';
import { newId } from '../lib/ids.ts';
import { currentTraceparent } from '../observability/tracing/context.ts';
import { assertType } from './assert-type.ts';
import {
  batchToFill,
  countAdded,
  countAgain,
  originalsInBatch,
  recordItem,
} from './batch-account.ts';
import { findRepeated, type RepeatScope } from './find-repeated.ts';
import { inheritance } from './inheritance.ts';
import { insertDocuments, type NewDocument } from './insert-documents.ts';

export interface Admitted {
  /** `duplicate`: the batch has these bytes already; `repeated`: the request was answered before. Neither makes a document. */
  outcome: 'added' | 'duplicate' | 'repeated';
  documentId: string;
}

/**
 * The only way documents come to exist: rows, ingestions and events, in the caller's transaction, for all that come to
 * one place together. They start at once when their workspace has room for them, and wait without a task otherwise.
 * Hints are to be announced after the commit.
 */
export async function admitAll(
  tx: Db,
  place: RepeatScope,
  asked: readonly NewDocument[],
  admission: Admission,
): Promise<{ admitted: Admitted[]; hints: Announcement[] }> {
  await lockWorkspaces(tx, [place.workspaceId]);
  const answers = new Map<string, Admitted>();
  for (let left = asked; left.length > 0; ) {
    const first = withoutTwins(left, place);
    await admitDistinct(tx, place, first, answers);
    left = left.filter((document) => !first.includes(document));
  }
  const admitted = asked.map(
    ({ id }) => answers.get(id) ?? ({ outcome: 'added', documentId: id } as const),
  );
  const some = admitted.some(({ outcome }) => outcome === 'added');
  return { admitted, hints: some ? await admitWaiting(tx, place.workspaceId, admission) : [] };
}

/** In a batch, of those with the same bytes the first; the others are looked at when that one is in the tables. */
function withoutTwins(
  documents: readonly NewDocument[],
  { batchId }: RepeatScope,
): readonly NewDocument[] {
  if (batchId === null) return documents;
  return documents.filter(
    ({ sha256 }, at) => documents.findIndex((each) => each.sha256 === sha256) === at,
  );
}

/** Adds those that are new, and leaves an answer for those that are not. */
async function admitDistinct(
  tx: Db,
  place: RepeatScope,
  documents: readonly NewDocument[],
  answers: Map<string, Admitted>,
): Promise<void> {
  const repeated = await findRepeated(
    tx,
    place,
    documents.flatMap(({ idempotencyKey }) => idempotencyKey ?? []),
  );
  for (const { id, idempotencyKey } of documents) {
    const documentId = repeated.get(idempotencyKey);
    // It may be this very one, committed by an attempt whose answer got lost.
    if (documentId && documentId !== id) answers.set(id, { outcome: 'repeated', documentId });
  }
  const fresh = documents.filter(({ id }) => !answers.has(id));
  if (place.batchId !== null && fresh.length > 0)
    await noteDuplicates(
      tx,
      await batchToFill(tx, place.batchId, place.workspaceId),
      fresh,
      answers,
    );
  const added = fresh.filter(({ id }) => !answers.has(id));
  if (added.length === 0) return;
  const count = await insertDocuments(tx, place, added);
  if (place.batchId !== null) await countAdded(tx, place.batchId, count);
}

async function noteDuplicates(
  tx: Db,
  batch: Batch,
  documents: readonly NewDocument[],
  answers: Map<string, Admitted>,
): Promise<void> {
  const originals = await originalsInBatch(
    tx,
    batch.id,
    documents.map(({ sha256 }) => sha256),
  );
  for (const document of documents) {
    const original = originals.get(document.sha256);
    if (!original || original.id === document.id) continue;
    const reason = `The same bytes are in the batch as ${original.name}`;
    await recordItem(tx, batch, {
      ...document,
      documentId: original.id,
      kind: 'duplicate',
      reason,
    });
    answers.set(document.id, { outcome: 'duplicate', documentId: original.id });
  }
}

export interface Run {
  overrides?: Overrides | undefined;
  sealedPassword?: string | undefined;
  delayMs?: number | undefined;
}

/** A new run of a document that is there already. The caller has made sure that no other run is under way. */
export async function readmit(
  tx: Db,
  documentId: string,
  admission: Admission,
  { overrides: asked = {}, sealedPassword, delayMs }: Run = {},
): Promise<Announcement[]> {
  const [document] = await tx
    .select({
      workspaceId: documents.workspaceId,
      batchId: documents.batchId,
      before: ingestions.id,
      status: ingestions.status,
      told: sql<string | null>`${ingestions.overrides} ->> 'documentType'`,
    })
    .from(documents)
    .innerJoin(ingestions, eq(ingestions.id, documents.ingestionId))
    .where(eq(documents.id, documentId));
  if (!document) throw new Error(`There is no document ${documentId} to run again`);
  const { workspaceId, batchId, before, status, told } = document;
  // What a document was told to be it stays, whoever runs it again.
  const overrides = { ...(told && { documentType: told }), ...asked };
  await assertType(tx, workspaceId, asked.documentType);
  await lockWorkspaces(tx, [workspaceId]);
  const waitsFor = batchId === null ? null : await countAgain(tx, batchId, status);
  const ingestionId = newId();
  const { fromStage: stage = admission.first } = overrides;
  const inherited = stage === admission.first ? {} : await inheritance(tx, before, stage);
  await tx.insert(ingestions).values({
    id: ingestionId,
    documentId,
    workspaceId,
    batchId,
    waitsFor,
    overrides,
    sealedPassword,
    traceparent: currentTraceparent(),
    ...inherited,
  });
  await tx
    .update(documents)
    .set({ ingestionId, status: 'in-progress', updatedAt: sql`now()` })
    .where(eq(documents.id, documentId));
  await appendEvent(tx, 'DOCUMENT_REPROCESSED', ingestionId, { documentId, ...overrides }, batchId);
  const hints = await admitWaiting(tx, workspaceId, admission);
  return delayMs ? postponed(tx, ingestionId, delayMs, hints) : hints;
}

/** Of the tasks that were just made, the one of this ingestion is to wait; the relay announces it in time. */
async function postponed(
  tx: Db,
  ingestionId: string,
  delayMs: number,
  hints: Announcement[],
): Promise<Announcement[]> {
  const [delayed] = await tx
    .update(tasks)
    .set({ notBefore: sql`now() + ${delayMs} * interval '1 millisecond'`, announcedAt: null })
    .where(eq(tasks.ingestionId, ingestionId))
    .returning({ id: tasks.id });
  return hints.filter(({ taskId }) => taskId !== delayed?.id);
}
