import { dropStaleReservations, releaseHeld } from '../engine/budget/release.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { SECOND } from '../lib/time.ts';

/** The net under ceilings: money that workers took with them comes back, and whoever it is enough for goes on. */
export const releaseHeldJob: IntervalJob = {
  everyMs: 5 * SECOND,
  async run({ database: { pool }, settings: { dailyBudgetMicros } }) {
    const dropped = await dropStaleReservations(pool);
    return { dropped, released: await releaseHeld(pool, { dailyBudgetMicros }) };
  },
};
