import { and, eq, sql } from 'drizzle-orm';
import { lockDocument } from '../db/documents.ts';
import type { Db } from '../db/index.ts';
import { deliveries } from '../db/schema/deliveries.ts';
import type { Announcement } from '../engine/task/task.ts';
import { ConflictError } from '../errors.ts';
import { queueDelivery } from './queue.ts';

/**
 * Hands a document over again although the manager holds it, with what its latest run found. Nobody else does that: a
 * manager that knows a document by its content would not be sent it by asking first.
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
    const [begun] = await tx
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
      begun && (await queueDelivery(tx, { id, expected: { state: 'ended', taskId } }, giveUpMs));
    if (!hint)
      throw new ConflictError(
        'The manager does not hold the document, or it is being sent again already.',
      );
    return hint;
  });
}
