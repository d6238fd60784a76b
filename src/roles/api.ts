import { openAttempts } from '../api/attempts.ts';
import type { MonitorContext } from '../api/context.ts';
import { startServer } from '../api/server.ts';
import { openJobRunner } from '../engine/schedule/job-runner.ts';
import { schedule } from '../jobs/schedule.ts';
import type { Closers } from '../lib/closers.ts';
import type { Core } from './core.ts';
import { ensureKey } from './credentials.ts';

export interface Api {
  url: string;
  /** The administrator's key, if this process knows it. */
  key: string | undefined;
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
  const attempts = openAttempts(redis.producer, config.MILLRACE_REDIS_PREFIX);
  const jobs = openJobRunner(schedule, jobContext);
  const { url, close } = await startServer(
    {
      ...monitor,
      resources,
      intake,
      queues,
      jobs,
      attempts,
      boardWritable: config.MILLRACE_BOARD_WRITABLE,
      defaultWorkspaceId,
    },
    { host: config.MILLRACE_HOST, port: config.MILLRACE_PORT },
  );
  closers.add(close);
  return { url, key };
}
