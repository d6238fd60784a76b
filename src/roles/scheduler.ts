import { startScheduler } from '../engine/interval.ts';
import { schedule } from '../jobs/schedule.ts';
import type { Closers } from '../lib/closers.ts';
import type { Core } from './core.ts';

export function startSchedulerRole({ config, resources, queues, runner }: Core, closers: Closers): void {
  const context = { ...resources, queues, policy: runner.policy, leaseMs: config.MILLRACE_LEASE };
  const scheduler = startScheduler(schedule, context);
  closers.add(() => scheduler.stop());
}
