import { announceDue } from '../engine/queues/relay.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { SECOND } from '../lib/time.ts';

const batch = 1000;

/** Retries and postponed tasks whose time has come, and what a lost Redis made unannounced. */
export const announceDueTasks: IntervalJob = {
  everyMs: 1 * SECOND,
  async run({ database, queues }) {
    let announced = 0;
    for (let count = batch; count === batch; announced += count)
      count = await announceDue(database.pool, queues, batch);
    return { announced };
  },
};
