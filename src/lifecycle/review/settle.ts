import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../db/index.ts';
import { ingestions } from '../../db/schema/ingestions.ts';
import { reviews } from '../../db/schema/reviews.ts';
import { openAndQueueDeliveries } from '../../deliveries/open.ts';
import type { Announcement } from '../../engine/task/task.ts';
import { ConflictError } from '../../errors.ts';
import {
  assertRevision,
  carryOver,
  lockReviewed,
  type Reviewed,
  recordAction,
} from './reviewed.ts';

export interface Decision {
  documentId: string;
  actor: string;
  revision?: number | undefined;
}

/**
 * Accepts the values as they are. They count as valid from now on, and the deliveries that waited
 * for the decision start. Returns the hints to announce.
 */
export function approve(
  db: Db,
  { documentId, actor, revision }: Decision,
  deliveryGiveUpMs: number,
): Promise<Announcement[]> {
  return db.transaction(async (tx) => {
    const current = await lockReviewed(tx, documentId);
    assertRevision(current, revision);
    await settleReview(tx, current, { state: 'approved', settledBy: actor });
    await tx
      .update(ingestions)
      .set({ validStructuredData: true })
      .where(eq(ingestions.id, current.ingestionId));
    await carryOver(tx, current, false);
    await recordAction(tx, current, { action: 'approved', actor, revision: current.revision });
    const { workspaceId, ingestionId } = current;
    const document = { id: documentId, workspaceId, ingestion: { id: ingestionId } };
    return openAndQueueDeliveries(tx, document, deliveryGiveUpMs);
  });
}

/** Ends the review without accepting the values: they are not delivered. */
export function reject(db: Db, decision: Decision & { reason: string }): Promise<void> {
  const { documentId, actor, revision, reason } = decision;
  return db.transaction(async (tx) => {
    const current = await lockReviewed(tx, documentId);
    assertRevision(current, revision);
    await settleReview(tx, current, { state: 'rejected', settledBy: actor, rejection: reason });
    await carryOver(tx, current, false);
    await recordAction(tx, current, {
      action: 'rejected',
      actor,
      revision: current.revision,
      reason,
    });
  });
}

async function settleReview(
  tx: Db,
  { documentId, ingestionId }: Reviewed,
  decision: { state: 'approved' | 'rejected'; settledBy: string; rejection?: string },
): Promise<void> {
  const ended = await tx
    .update(reviews)
    .set({ ...decision, settledAt: sql`now()`, assignee: null, claimedUntil: null })
    .where(
      and(
        eq(reviews.documentId, documentId),
        eq(reviews.ingestionId, ingestionId),
        eq(reviews.state, 'open'),
      ),
    )
    .returning({ id: reviews.documentId });
  if (ended.length === 0) throw new ConflictError('The document does not wait for a review.');
}
