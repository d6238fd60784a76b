import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { endDelivery } from '../db/deliveries.ts';
import type { Db } from '../db/index.ts';
import { deliveries } from '../db/schema/deliveries.ts';
import { cancelTask } from '../engine/task/cancel.ts';

/** False if it is too late to cancel: the delivery is being submitted, was submitted, or ended. */
export function cancelDelivery(db: Db, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [found] = await tx
      .select({ taskId: deliveries.taskId })
      .from(deliveries)
      .where(eq(deliveries.id, id));
    // Lock order: the task before the delivery, as in settle.
    if (
      found?.taskId &&
      !(await cancelTask(
        tx,
        found.taskId,
        sql`not exists (select from deliveries d
        where d.task_id = ${found.taskId} and d.submitting_at is not null)`,
      ))
    )
      return false;
    if (found?.taskId) return true;
    const [unqueued] = await tx
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(
        and(
          eq(deliveries.id, id),
          inArray(deliveries.state, ['received', 'scheduled']),
          isNull(deliveries.taskId),
        ),
      )
      .for('update');
    if (unqueued) await endDelivery(tx, id, 'cancelled');
    return unqueued !== undefined;
  });
}
