import { startScheduler } from '../engine/schedule/scheduler.ts';
import { schedule } from '../jobs/schedule.ts';
import type { Closers } from '../lib/closers.ts';
import type { Core } from './core.ts';

export function startSchedulerRole({ jobContext, standstills }: Core, closers: Closers): void {
  const scheduler = startScheduler(schedule, jobContext);
  standstills.push(async () => scheduler.standstill());
  closers.add(() => scheduler.stop());
}
