import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { sweepLapsedLeases } from '../engine/task/sweep.ts';
import { SECOND } from '../lib/time.ts';

/** Tasks whose worker is gone. */
export const sweepStaleClaims: IntervalJob = {
  everyMs: 5 * SECOND,
  async run({ database, queues, policy, leaseMs, admission, metrics }) {
    const options = { policy, leaseMs, admission, limit: 500 };
    const { hints, recovered, died } = await sweepLapsedLeases(database.pool, options);
    await queues.announce(hints);
    metrics.leasesLapsed({ recovered, died });
    return { recovered, died };
  },
};
