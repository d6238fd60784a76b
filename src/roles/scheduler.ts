import { startScheduler } from '../engine/schedule/scheduler.ts';
import { schedule } from '../jobs/schedule.ts';
import type { Closers } from '../lib/closers.ts';
import type { Core } from './core.ts';

export function startSchedulerRole({ jobContext, stallChecks }: Core, closers: Closers): void {
  const scheduler = startScheduler(schedule, jobContext);
  stallChecks.push(async () => scheduler.stallReason());
  closers.add(() => scheduler.stop());
}
