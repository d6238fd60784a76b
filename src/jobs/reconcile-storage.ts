import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { MINUTE } from '../lib/time.ts';
import { findMissingBytes } from '../lifecycle/reconcile/missing-bytes.ts';
import { removeOrphans } from '../lifecycle/reconcile/orphans.ts';

const limit = 5000;

/** Compares storage with the tables, a piece of both at a time: what nobody needs is removed, what is missing is told. */
export const reconcileStorage: IntervalJob = {
  everyMs: 15 * MINUTE,
  async run({ log, storageGraceMs: graceMs, ...needs }) {
    const { missing, found } = await findMissingBytes(needs, { limit });
    if (missing > 0) log.error({ documents: missing }, 'bytes of documents are missing in storage');
    return { missing, found, removed: await removeOrphans(needs, { graceMs, limit }) };
  },
};
