import { reconcile } from '../engine/queues/relay.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { SECOND } from '../lib/time.ts';

/** Tasks whose hint got lost on the way to Redis, or in it. */
export const reconcileQueues: IntervalJob = {
  everyMs: 10 * SECOND,
  async run({ database, queues, metrics }) {
    const { restored } = await reconcile(database.pool, queues, {
      olderThanMs: 20 * SECOND,
      limit: 5000,
    });
    metrics.hintsRestored(restored);
    return { restored };
  },
};
