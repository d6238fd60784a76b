import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../db/index.ts';
import { deliveries } from '../db/schema/deliveries.ts';
import { ingestionKind } from '../db/schema/tasks.ts';
import { deliverStage } from '../domain/delivery.ts';
import { closeDeadLetterOfTask } from '../engine/dead-letters/index.ts';
import { insertTask } from '../engine/task/effects.ts';
import type { Announcement } from '../engine/task/task.ts';

/**
 * Creates the task of a delivery, in the caller's transaction. Does nothing and returns undefined
 * if the delivery has changed since the caller read it.
 */
export async function queueDelivery(
  tx: Db,
  {
    id,
    expected,
  }: { id: string; expected: Pick<typeof deliveries.$inferSelect, 'state' | 'taskId'> },
  giveUpMs: number,
): Promise<Announcement | undefined> {
  const sameTask = sql`${deliveries.taskId} is not distinct from ${expected.taskId}::uuid`;
  const values = {
    state: 'queued',
    outcome: 'none',
    endedAt: null,
    updatedAt: sql`now()`,
  } as const;
  const [queued] = await tx
    .update(deliveries)
    .set(values)
    .where(and(eq(deliveries.id, id), eq(deliveries.state, expected.state), sameTask))
    .returning({ id: deliveries.ingestionId, workspaceId: deliveries.workspaceId });
  if (!queued) return undefined;
  const hint = await insertTask(tx, {
    subject: { kind: ingestionKind, ...queued },
    stage: deliverStage,
    giveUpMs,
  });
  await tx.update(deliveries).set({ taskId: hint.taskId }).where(eq(deliveries.id, id));
  if (expected.taskId) await closeDeadLetterOfTask(tx, expected.taskId, hint.taskId);
  return hint;
}
