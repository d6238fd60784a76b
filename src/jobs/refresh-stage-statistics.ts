import { refreshView } from '../db/refresh-view.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { MINUTE } from '../lib/time.ts';

/** Refreshes the recent statistics of stages, used for backlog estimates and by operators. */
export const refreshStageStatistics: IntervalJob = {
  everyMs: 15 * MINUTE,
  async run({ database }) {
    return { rows: await refreshView(database.pool, 'stage_statistics') };
  },
};
