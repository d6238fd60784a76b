import { and, eq, isNull, sql } from 'drizzle-orm';
import { appendEvent } from '../../db/events.ts';
import type { Db } from '../../db/index.ts';
import { documents } from '../../db/schema/documents.ts';
import { ingestions } from '../../db/schema/ingestions.ts';
import { reviewChanges } from '../../db/schema/reviews.ts';
import type { FieldChange, ReviewAction } from '../../domain/review.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import { newId } from '../../lib/ids.ts';

export type Reviewed = Awaited<ReturnType<typeof lockReviewed>>;

/** Locks a completed document and the values of its latest run, or throws. */
export async function lockReviewed(tx: Db, documentId: string) {
  const [found] = await tx
    .select({
      documentId: documents.id,
      workspaceId: documents.workspaceId,
      batchId: documents.batchId,
      ingestionId: ingestions.id,
      status: ingestions.status,
      revision: ingestions.revision,
      documentType: ingestions.documentType,
      structuredData: ingestions.structuredData,
      machineData: ingestions.machineData,
      verdict: ingestions.verdict,
      transcriptionKey: ingestions.transcriptionKey,
      transcriptionSha256: ingestions.transcriptionSha256,
    })
    .from(documents)
    .innerJoin(ingestions, eq(ingestions.id, documents.ingestionId))
    .where(and(eq(documents.id, documentId), isNull(documents.deletedAt)))
    .for('no key update');
  if (!found) throw new NotFoundError(`There is no document ${documentId}`);
  if (found.status !== 'completed')
    throw new ConflictError(`The document is ${found.status}, not completed.`);
  return found;
}

/** Refuses a change of values that the person has not seen. */
export function assertRevision({ revision }: Reviewed, expected: number | undefined): void {
  if (expected === undefined || expected === revision) return;
  throw new ConflictError(
    `The values were changed meanwhile: they are at revision ${revision}, not ${expected}.`,
  );
}

/** Appends what a person did to the history and to the event log. */
export async function recordAction(
  tx: Db,
  { documentId, workspaceId, batchId, ingestionId }: Reviewed,
  done: {
    action: ReviewAction;
    actor: string;
    revision: number;
    changes?: FieldChange[];
    reason?: string | undefined;
  },
): Promise<void> {
  const { changes = [], reason, ...rest } = done;
  const row = { id: newId(), documentId, workspaceId, ingestionId, changes, ...rest };
  await tx.insert(reviewChanges).values({ ...row, reason: reason ?? null });
  const { action, actor } = rest;
  const fields = changes.map(({ field }) => field);
  const facts = { documentId, action, actor, fields, ...(reason && { reason }) };
  await appendEvent(tx, 'DOCUMENT_REVIEWED', ingestionId, facts, batchId);
}

/** Carries the values of a run to its document. */
export async function carryOver(
  tx: Db,
  { documentId, ingestionId }: Reviewed,
  needsHumanReview: boolean,
): Promise<void> {
  const structuredData = sql`(select structured_data from ingestions where id = ${ingestionId})`;
  await tx
    .update(documents)
    .set({ structuredData, needsHumanReview, updatedAt: sql`now()` })
    .where(eq(documents.id, documentId));
}
