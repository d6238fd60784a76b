import { checkInvariants, invariants } from '../engine/invariants.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { keys } from '../lib/keys.ts';
import { HOUR } from '../lib/time.ts';

/** Looks for violations that should never occur. */
export const checkInvariantsJob: IntervalJob = {
  everyMs: 1 * HOUR,
  async run({ database, metrics, log }) {
    const violations = await checkInvariants(database.pool);
    for (const name of keys(invariants)) {
      metrics.invariantBroken(
        name,
        violations.find(({ invariant }) => invariant === name)?.count ?? 0,
      );
    }
    for (const violation of violations) log.error(violation, 'an invariant is violated');
    return { broken: violations.length };
  },
};
