import { startScheduler } from '../engine/interval.ts';
import { schedule } from '../jobs/schedule.ts';
import type { Closers } from '../lib/closers.ts';
import type { Core } from './core.ts';

export function startSchedulerRole({ config, resources, queues, intake, runner }: Core, closers: Closers): void {
  const context = {
    ...resources,
    queues,
    policy: runner.policy,
    leaseMs: config.MILLRACE_LEASE,
    admission: intake,
    batchGraceMs: config.MILLRACE_BATCH_GRACE,
  };
  const scheduler = startScheduler(schedule, context);
  closers.add(() => scheduler.stop());
}
