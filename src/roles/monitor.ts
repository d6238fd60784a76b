import type { MonitorContext } from '../api/context.ts';
import { assertWritable } from '../db/writable.ts';
import { watchFleet } from '../engine/fleet/index.ts';
import { schedule } from '../jobs/schedule.ts';
import type { Closers } from '../lib/closers.ts';
import { masters } from '../lib/redis-client.ts';
import type { Core } from './core.ts';

/** Health checks and metrics of this process. */
export function createMonitor({
  config,
  resources,
  redis,
  queues,
  stallChecks,
}: Core): MonitorContext {
  const reportsFleet = config.MILLRACE_ROLES.some((role) => role !== 'worker');
  const servesApi = config.MILLRACE_ROLES.includes('api');
  const checkRedis = {
    redis: async () => {
      await Promise.all(masters(redis.producer).map((server) => server.ping()));
    },
  };
  return {
    resources,
    fleet: reportsFleet
      ? watchFleet({ ...resources, queues, schedule, deadLetterLimit: config.MILLRACE_DLQ_ALERT })
      : undefined,
    checks: {
      postgres: () => assertWritable(resources.database.pool),
      storage: () => resources.storage.check(),
      ...(!servesApi && checkRedis),
    },
    // The API accepts uploads without Redis; their tasks are announced when it is back.
    optionalChecks: servesApi ? checkRedis : {},
    metricsToken: config.MILLRACE_METRICS_TOKEN,
    stallChecks,
  };
}

/** Opened before the workers and closed after them, so that draining can be observed. */
export async function startMonitoring(
  core: Core,
  monitor: MonitorContext,
  closers: Closers,
): Promise<void> {
  const { MILLRACE_HOST: host, MILLRACE_METRICS_PORT: port } = core.config;
  if (port === undefined) return;
  // Imported lazily: without a metrics port, no HTTP server is needed.
  const { startMonitor } = await import('../api/monitor.ts');
  const { close } = await startMonitor(monitor, { host, port });
  closers.add(close);
}
