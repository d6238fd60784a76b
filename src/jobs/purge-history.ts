import { dropOldEvents, purge } from '../db/purge-history.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { HOUR } from '../lib/time.ts';

/** Events and webhook messages that have been over for longer than anybody asks for them. */
export const purgeHistory: IntervalJob = {
  everyMs: 1 * HOUR,
  async run({ database: { pool }, keepHistoryMs }) {
    return {
      days: await dropOldEvents(pool, keepHistoryMs),
      events: await purge(pool, 'unpartitioned', keepHistoryMs),
      messages: await purge(pool, 'delivered', keepHistoryMs),
    };
  },
};
