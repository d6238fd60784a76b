import { refreshView } from '../db/refresh-view.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { MINUTE } from '../lib/time.ts';

/** What stages did lately, for estimates of backlog and for operators. */
export const refreshStageStatistics: IntervalJob = {
  everyMs: 15 * MINUTE,
  async run({ database }) {
    return { rows: await refreshView(database.pool, 'stage_statistics') };
  },
};
