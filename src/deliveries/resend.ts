import { and, eq, sql } from 'drizzle-orm';
import { lockDocument } from '../db/documents.ts';
import type { Db } from '../db/index.ts';
import { deliveries } from '../db/schema/deliveries.ts';
import type { Announcement } from '../engine/task/task.ts';
import { ConflictError } from '../errors.ts';
import { queueDelivery } from './queue.ts';

/**
 * Submits a document again although the manager holds it, with the result of its latest run. All
 * other paths look up the document first and never submit one that the manager holds.
 */
export function resendDelivery(
  db: Db,
  { id, documentId, taskId }: Pick<typeof deliveries.$inferSelect, 'id' | 'documentId' | 'taskId'>,
  giveUpMs: number,
): Promise<Announcement> {
  return db.transaction(async (tx) => {
    const document = await lockDocument(tx, documentId);
    if (document?.status !== 'completed')
      throw new ConflictError(`The document is ${document?.status ?? 'deleted'}, not completed.`);
    const [started] = await tx
      .update(deliveries)
      .set({
        ingestionId: document.ingestionId,
        resends: sql`${deliveries.resends} + 1`,
        submittingAt: null,
        submittedAt: null,
      })
      .where(
        and(
          eq(deliveries.id, id),
          eq(deliveries.state, 'ended'),
          eq(deliveries.outcome, 'managed'),
        ),
      )
      .returning({ id: deliveries.id });
    const hint =
      started && (await queueDelivery(tx, { id, expected: { state: 'ended', taskId } }, giveUpMs));
    if (!hint)
      throw new ConflictError(
        'The manager does not hold the document, or a resend is already in progress.',
      );
    return hint;
  });
}
