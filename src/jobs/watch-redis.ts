import type pg from 'pg';
import { hasSucceeded } from '../db/job-runs.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { SECOND } from '../lib/time.ts';

/** A Redis that lost its memory (flushed, restarted without persistence, failed over) is noticed by its missing mark. */
export const watchRedis: IntervalJob = {
  everyMs: 2 * SECOND,
  async run({ database, queues, metrics, log }) {
    if (!(await queues.lostMemory())) return { forgotten: 0 };
    // Before the first pass there was no mark to lose.
    if (await hasSucceeded(database.db, 'watch-redis')) metrics.redisLostMemory();
    const forgotten = await forgetAnnouncements(database.pool);
    if (forgotten > 0)
      log.warn(
        { tasks: forgotten },
        'Redis has lost its data; every waiting task is announced again',
      );
    return { forgotten };
  },
};

/** Redis lost its memory: every waiting task is to be announced anew. */
export async function forgetAnnouncements(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(
    "update tasks set announced_at = null where state = 'ready' and announced_at is not null",
  );
  return rowCount ?? 0;
}
