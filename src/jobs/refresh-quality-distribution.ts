import { refreshView } from '../db/refresh-view.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { HOUR } from '../lib/time.ts';

/** Refreshes the distribution of reading quality by workspace and day. */
export const refreshQualityDistribution: IntervalJob = {
  everyMs: 1 * HOUR,
  async run({ database }) {
    return { rows: await refreshView(database.pool, 'quality_distribution') };
  },
};
