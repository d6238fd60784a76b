import type { MonitorContext } from '../api/context.ts';
import { startServer } from '../api/server.ts';
import { StorageQuotas } from '../api/upload/quotas.ts';
import { openWindowCounter } from '../api/window-counter.ts';
import { openJobRunner } from '../engine/schedule/job-runner.ts';
import { schedule } from '../jobs/schedule.ts';
import type { Closers } from '../lib/closers.ts';
import type { Core } from './core.ts';
import { type AdminKey, ensureKey } from './credentials.ts';

export interface Api {
  url: string;
  /** The administrator's key, if this process knows it. */
  key: AdminKey | undefined;
}

export async function startApiRole(
  core: Core,
  monitor: MonitorContext,
  closers: Closers,
): Promise<Api> {
  const {
    config,
    services,
    redis,
    resources,
    queues,
    intake,
    jobContext,
    workspaceId: defaultWorkspaceId,
  } = core;
  const key = await ensureKey(resources.database.db, config, services.directory);
  const counter = openWindowCounter(redis.producer, config.MILLRACE_REDIS_PREFIX);
  const jobs = openJobRunner(schedule, jobContext);
  const { url, close } = await startServer(
    {
      ...monitor,
      resources,
      intake,
      queues,
      jobs,
      counter,
      quotas: new StorageQuotas(resources.database.db),
      settings: {
        trustProxy: config.MILLRACE_TRUST_PROXY,
        requestsPerMinute: config.MILLRACE_REQUESTS_PER_MINUTE,
        streams: { perKey: config.MILLRACE_STREAMS_PER_KEY, total: config.MILLRACE_STREAMS },
      },
      boardWritable: config.MILLRACE_BOARD_WRITABLE,
      defaultWorkspaceId,
    },
    { host: config.MILLRACE_HOST, port: config.MILLRACE_PORT },
  );
  closers.add(close);
  return { url, key };
}
