import { eq, sql } from 'drizzle-orm';
import type { Batch } from '../db/batches.ts';
import { appendEvent } from '../db/events.ts';
import type { Db } from '../db/index.ts';
import { withdrawReview } from '../db/reviews.ts';
import { batches } from '../db/schema/batches.ts';
import { documents } from '../db/schema/documents.ts';
import { ingestions } from '../db/schema/ingestions.ts';
import { tasks } from '../db/schema/tasks.ts';
import { assertType } from '../db/schemas.ts';
import type { Overrides } from '../domain/overrides.ts';
import { type Admission, admitWaiting, lockWorkspaces } from '../engine/admission/admission.ts';
import type { Announcement } from '../engine/task/task.ts';
import { newId } from '../lib/ids.ts';
import { currentTraceparent } from '../observability/tracing/index.ts';
import {
  batchToFill,
  countAdded,
  countAgain,
  originalsInBatch,
  recordItem,
} from './batch-account.ts';
import { inheritance } from './inheritance.ts';
import {
  findRepeated,
  insertDocuments,
  type NewDocument,
  type RepeatScope,
} from './insert-documents.ts';

export interface Admitted {
  /**
   * `duplicate`: the batch already has these bytes. `repeated`: an earlier request had the same
   * idempotency key. Neither creates a document.
   */
  outcome: 'added' | 'duplicate' | 'repeated';
  documentId: string;
}

/**
 * The only place where documents are created: rows, ingestions and events, in the caller's
 * transaction, for all documents that arrive for the same workspace and batch together. They start
 * at once if the window of the workspace has free slots, otherwise they wait without a task. The
 * caller announces the hints after the commit.
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
    const first = firstOfEachContent(left, place);
    await admitDistinct(tx, place, first, answers);
    left = left.filter((document) => !first.includes(document));
  }
  const admitted = asked.map(
    ({ id }) => answers.get(id) ?? ({ outcome: 'added', documentId: id } as const),
  );
  const some = admitted.some(({ outcome }) => outcome === 'added');
  return { admitted, hints: some ? await admitWaiting(tx, place.workspaceId, admission) : [] };
}

/**
 * In a batch, the first of those with the same bytes. The others are checked after that one is
 * inserted, so that they find it.
 */
function firstOfEachContent(
  documents: readonly NewDocument[],
  { batchId }: RepeatScope,
): readonly NewDocument[] {
  if (batchId === null) return documents;
  return documents.filter(
    ({ sha256 }, at) => documents.findIndex((each) => each.sha256 === sha256) === at,
  );
}

async function admitDistinct(
  tx: Db,
  place: RepeatScope,
  documents: readonly NewDocument[],
  answers: Map<string, Admitted>,
): Promise<void> {
  const repeated = await findRepeated(tx, place, documents);
  for (const { id, idempotencyKey } of documents) {
    const documentId = repeated.get(idempotencyKey);
    // It may be this very document, committed by an attempt whose reply was lost.
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
    const reason = `Duplicate: the batch already has the same bytes as ${original.name}`;
    await recordItem(tx, batch, {
      ...document,
      name: document.path ?? document.name,
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

/** Starts a new ingestion of a document. The caller has checked that none is in progress. */
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
      requestedType: sql<string | null>`${ingestions.overrides} ->> 'documentType'`,
      noOcr: batches.noOcr,
    })
    .from(documents)
    .innerJoin(ingestions, eq(ingestions.id, documents.ingestionId))
    .leftJoin(batches, eq(batches.id, documents.batchId))
    .where(eq(documents.id, documentId));
  if (!document) throw new Error(`There is no document ${documentId}`);
  const { workspaceId, batchId, before, status, requestedType, noOcr } = document;
  // A type requested earlier, and what its batch asks for, are kept unless this run asks otherwise.
  const overrides = {
    ...(requestedType && { documentType: requestedType }),
    ...(noOcr && { noOcr }),
    ...asked,
  };
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
  await withdrawReview(tx, documentId);
  await appendEvent(tx, 'DOCUMENT_REPROCESSED', ingestionId, { documentId, ...overrides }, batchId);
  const hints = await admitWaiting(tx, workspaceId, admission);
  return delayMs ? postpone(tx, ingestionId, delayMs, hints) : hints;
}

/** Delays the task just inserted for this ingestion. The relay announces it when it is due. */
async function postpone(
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
