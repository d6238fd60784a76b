import { availableParallelism } from 'node:os';
import { superviseQuarantine } from '../engine/queues/quarantine.ts';
import { quarantine } from '../engine/task/task.ts';
import type { Closers } from '../lib/closers.ts';
import type { Core } from './core.ts';

/** A worker that runs all stages starts separate processes for suspect tasks if there are any. */
export async function keepQuarantine(core: Core, closers: Closers): Promise<void> {
  const { config, queues, resources } = core;
  const queue = queues.byStage.get(quarantine);
  const [, program = ''] = process.argv;
  if (config.MILLRACE_STAGES || !queue) return;
  const supervisor = superviseQuarantine({
    queue,
    processes: config.MILLRACE_QUARANTINE_PROCESSES ?? Math.min(4, availableParallelism()),
    command: [
      process.execPath,
      ...process.execArgv,
      program,
      'worker',
      '--no-respawn',
      '--stages',
      quarantine,
    ],
    env: { ...process.env, ...(await quarantineEnvironment(core)) },
    log: resources.log,
  });
  closers.add(() => supervisor.stop(config.MILLRACE_SHUTDOWN_GRACE));
}

/**
 * Environment of a quarantine process: it uses our services and secret key, but cannot listen on
 * our metrics port.
 */
export async function quarantineEnvironment({
  config,
  services,
}: Pick<Core, 'config' | 'services'>) {
  const { databaseUrl: DATABASE_URL, directUrl, redisUrl: REDIS_URL, directory } = services;
  return {
    DATABASE_URL,
    ...(directUrl && { DATABASE_DIRECT_URL: directUrl }),
    REDIS_URL,
    MILLRACE_SECRET_KEY: config.MILLRACE_SECRET_KEY ?? (await directory?.secret('secret-key')),
    ...(config.MILLRACE_METRICS_PORT && { MILLRACE_METRICS_PORT: '0' }),
  };
}
