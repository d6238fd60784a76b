import type { MonitorContext } from '../api/context.ts';
import { watchFleet } from '../engine/fleet/index.ts';
import { schedule } from '../jobs/schedule.ts';
import type { Closers } from '../lib/closers.ts';
import type { Core } from './core.ts';

/** What this process tells about itself: health and metrics. */
export function createMonitor({
  config,
  resources,
  redis,
  queues,
  stallChecks,
}: Core): MonitorContext {
  const tellsOfFleet = config.MILLRACE_ROLES.some((role) => role !== 'worker');
  return {
    resources,
    fleet: tellsOfFleet
      ? watchFleet({ ...resources, queues, schedule, deadLetterLimit: config.MILLRACE_DLQ_ALERT })
      : undefined,
    checks: {
      postgres: async () => void (await resources.database.pool.query('select 1')),
      redis: async () => void (await redis.producer.ping()),
      storage: () => resources.storage.check(),
    },
    stallChecks,
  };
}

/** Opened before the workers and closed after them: how a process drains is to be seen. */
export async function startMonitoring(
  core: Core,
  monitor: MonitorContext,
  closers: Closers,
): Promise<void> {
  const { MILLRACE_HOST: host, MILLRACE_METRICS_PORT: port } = core.config;
  if (port === undefined) return;
  // A process that nobody looks at need not load a server.
  const { startMonitor } = await import('../api/monitor.ts');
  const { close } = await startMonitor(monitor, { host, port });
  closers.add(close);
}
