import { refreshView } from '../db/refresh-view.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { HOUR } from '../lib/time.ts';

/** How well documents could be read, by workspace and day. */
export const refreshQualityDistribution: IntervalJob = {
  everyMs: 1 * HOUR,
  async run({ database }) {
    return { rows: await refreshView(database.pool, 'quality_distribution') };
  },
};
