import type pg from 'pg';
import { hasSucceeded } from '../db/job-runs.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { SECOND } from '../lib/time.ts';

/** Detects a Redis without its marker key: flushed, restarted without persistence, failed over. */
export const watchRedis: IntervalJob = {
  everyMs: 2 * SECOND,
  async run({ database, queues, metrics, log }) {
    if (!(await queues.lostMemory())) return { forgotten: 0 };
    // Before the first pass there was no marker to lose.
    if (await hasSucceeded(database.db, 'watch-redis')) metrics.redisLostMemory();
    const forgotten = await forgetAnnouncements(database.pool);
    if (forgotten > 0)
      log.warn(
        { tasks: forgotten },
        'Redis has lost its data; announcing every waiting task again',
      );
    return { forgotten };
  },
};

/** Marks every waiting task as unannounced, so that it is announced again. */
export async function forgetAnnouncements(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(
    "update tasks set announced_at = null where state = 'ready' and announced_at is not null",
  );
  return rowCount ?? 0;
}
