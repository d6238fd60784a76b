import type { IntervalJob } from '../engine/interval.ts';
import { sweepLapsedLeases } from '../engine/sweep.ts';
import { SECOND } from '../lib/time.ts';

/** Tasks whose worker is gone. */
export const sweepStaleClaims: IntervalJob = {
  everyMs: 5 * SECOND,
  async run({ database, policy, metrics }) {
    const { recovered, died } = await sweepLapsedLeases(database.pool, policy, 500);
    metrics.leasesLapsed({ recovered, died });
    return { recovered, died };
  },
};
