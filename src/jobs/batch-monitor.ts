import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { SECOND } from '../lib/time.ts';
import { fillWorkspaces, pushBatches, releaseStuck } from '../lifecycle/batch/monitor.ts';
import { recountSuspects } from '../lifecycle/batch/recount.ts';

/** Batches that no document moves on by itself, and what was left free in turns and windows. */
export const batchMonitor: IntervalJob = {
  everyMs: 2 * SECOND,
  async run({ database: { db }, queues, admission, batchGraceMs }) {
    const intake = { ...admission, announce: queues.announce };
    await pushBatches(db, intake);
    const released = await releaseStuck(db, intake, batchGraceMs);
    const admitted = await fillWorkspaces(db, intake);
    const recounted = await recountSuspects(db, intake);
    return { released, admitted, recounted };
  },
};
