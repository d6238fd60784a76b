import { sql } from 'drizzle-orm';
import { endDelivery } from '../db/deliveries.ts';
import type { Db } from '../db/index.ts';
import { queueDelivery } from '../deliveries/queue.ts';
import type { DeliveryState } from '../domain/delivery.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import type { Announcement } from '../engine/task/task.ts';
import { MINUTE, SECOND } from '../lib/time.ts';

/** Queues deliveries that are due or whose destination is enabled again; recovers stuck ones. */
export const sweepDeliveriesJob: IntervalJob = {
  everyMs: 5 * SECOND,
  async run({ database, queues, settings }) {
    const options = { stuckMs: 60 * MINUTE, giveUpMs: settings.deliveryGiveUpMs, limit: 500 };
    const { hints, cancelled, reannounced } = await sweepDeliveries(database.db, options);
    if (hints.length > 0) await queues.announce(hints);
    return { queued: hints.length, cancelled, reannounced };
  },
};

interface Found {
  [column: string]: unknown;
  id: string;
  state: DeliveryState;
  task_id: string | null;
}

export interface SweepOptions {
  /** A delivery that is queued or processing for longer than this is checked. */
  stuckMs: number;
  giveUpMs: number;
  limit: number;
}

/** Deliveries that are due, with an enabled destination and a document that is not deleted. */
const due = sql`
  select d.id, d.state, d.task_id from deliveries d
    join destinations t on t.id = d.destination_id
    join documents o on o.id = d.document_id
   where d.state in ('received', 'scheduled') and d.not_before <= now() and t.enabled and o.deleted_at is null`;

/** Deliveries that lost their task. Expired leases and lost hints are left to the engine. */
const stuck = (ms: number) => sql`
  select d.id, d.state, d.task_id from deliveries d left join tasks k on k.id = d.task_id
   where d.state in ('queued', 'processing') and d.updated_at < now() - ${ms} * interval '1 millisecond'
     and (k.id is null or k.ended_at is not null)`;

const orphaned = sql`
  select d.id, d.state, d.task_id from deliveries d
    join destinations t on t.id = d.destination_id
    join documents o on o.id = d.document_id
   where d.state in ('received', 'scheduled') and (o.deleted_at is not null or t.deleted_at is not null)`;

/** One pass over waiting and stuck deliveries. The caller announces the hints. */
export async function sweepDeliveries(db: Db, { stuckMs, giveUpMs, limit }: SweepOptions) {
  const hints: Announcement[] = [];
  const find = async (of: ReturnType<typeof sql>) =>
    (await db.execute<Found>(sql`${of} order by d.id limit ${limit}`)).rows;
  for (const { id, state, task_id: taskId } of [
    ...(await find(due)),
    ...(await find(stuck(stuckMs))),
  ]) {
    const hint = await db.transaction((tx) =>
      queueDelivery(tx, { id, expected: { state, taskId } }, giveUpMs),
    );
    if (hint) hints.push(hint);
  }
  const gone = await find(orphaned);
  for (const { id } of gone) await endDelivery(db, id, 'cancelled');
  const { rowCount } = await db.execute(sql`
    update tasks k set announced_at = null from deliveries d
     where d.task_id = k.id and d.state in ('queued', 'processing') and k.state = 'ready' and k.announced_at is not null
       and d.updated_at < now() - ${stuckMs} * interval '1 millisecond' and k.announced_at < d.updated_at + interval '1 minute'`);
  return { hints, cancelled: gone.length, reannounced: rowCount ?? 0 };
}
