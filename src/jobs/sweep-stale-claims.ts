import type { IntervalJob } from '../engine/interval.ts';
import { sweepLapsedLeases } from '../engine/sweep.ts';
import { SECOND } from '../lib/time.ts';

/** Tasks whose worker is gone. */
export const sweepStaleClaims: IntervalJob = {
  everyMs: 5 * SECOND,
  async run({ database, queues, policy, admission }) {
    const { hints, recovered, died } = await sweepLapsedLeases(database.pool, policy, admission, 500);
    await queues.announce(hints);
    return { recovered, died };
  },
};
