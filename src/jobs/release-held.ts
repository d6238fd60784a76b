import { dropStaleReservations, releaseHeld } from '../engine/budget/release.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { SECOND } from '../lib/time.ts';

/**
 * Safety net for cost ceilings: drops the reservations of dead workers and releases held documents
 * that the budget now covers.
 */
export const releaseHeldJob: IntervalJob = {
  everyMs: 5 * SECOND,
  async run({ database: { pool }, settings: { dailyBudgetMicros } }) {
    const dropped = await dropStaleReservations(pool);
    return { dropped, released: await releaseHeld(pool, { dailyBudgetMicros }) };
  },
};
