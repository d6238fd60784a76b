import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { HOUR } from '../lib/time.ts';

/** Creates the event partitions of the coming days. */
export const prepareEventPartitions: IntervalJob = {
  everyMs: 6 * HOUR,
  async run({ database }) {
    const { rows } = await database.pool.query<{ made: number }>(
      'select ensure_event_partitions(3) as made',
    );
    return { made: rows[0]?.made ?? 0 };
  },
};
