import { purgeSessions as purge } from '../db/sessions.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { HOUR } from '../lib/time.ts';

/** Deletes expired sessions. */
export const purgeSessions: IntervalJob = {
  everyMs: 1 * HOUR,
  async run({ database }) {
    return { purged: await purge(database.db) };
  },
};
