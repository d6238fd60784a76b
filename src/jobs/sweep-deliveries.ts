import { sweepDeliveries } from '../deliveries/sweep.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { MINUTE, SECOND } from '../lib/time.ts';

/** Deliveries whose time or whose destination has come, and those that nobody moves on. */
export const sweepDeliveriesJob: IntervalJob = {
  everyMs: 5 * SECOND,
  async run({ database, queues, settings }) {
    const options = { stuckMs: 60 * MINUTE, giveUpMs: settings.deliveryGiveUpMs, limit: 500 };
    const { hints, cancelled, reannounced } = await sweepDeliveries(database.db, options);
    if (hints.length > 0) await queues.announce(hints);
    return { queued: hints.length, cancelled, reannounced };
  },
};
