import { eq } from 'drizzle-orm';
import type { Db } from '../db/index.ts';
import { deliveries } from '../db/schema/deliveries.ts';
import type { DeadLetter } from '../engine/dead-letters/index.ts';
import type { Announcement } from '../engine/task/task.ts';
import { DAY } from '../lib/time.ts';
import { queueDelivery } from './queue.ts';

/** Queues the delivery of a dead letter; undefined if the letter does not belong to a delivery. */
export async function replayDelivery(
  tx: Db,
  { taskId }: Pick<DeadLetter, 'taskId'>,
  { deliveryGiveUpMs = 7 * DAY }: { deliveryGiveUpMs?: number },
): Promise<Announcement | undefined> {
  const [delivery] = await tx.select().from(deliveries).where(eq(deliveries.taskId, taskId));
  if (!delivery) return undefined;
  return queueDelivery(tx, { id: delivery.id, expected: delivery }, deliveryGiveUpMs);
}
