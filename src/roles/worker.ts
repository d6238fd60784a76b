import { appendEvent } from '../db/events.ts';
import { Progress } from '../engine/progress.ts';
import { superviseQuarantine } from '../engine/quarantine.ts';
import { quarantine } from '../engine/task.ts';
import { startWorkers } from '../engine/workers.ts';
import type { Closers } from '../lib/closers.ts';
import { describeError } from '../lib/describe-error.ts';
import { keys } from '../lib/keys.ts';
import { harden } from '../sandbox/hardening.ts';
import { pipeline } from '../workers/pipeline.ts';
import type { Core } from './core.ts';

/** Works on the configured stages. A process with all of them keeps a quarantine process too, when one is needed. */
export async function startWorkerRole(core: Core, closers: Closers): Promise<void> {
  const { config, redis, runner, queues, services, resources } = core;
  await announceWorker(core, closers);
  const stages: Record<string, { stage: { concurrency: number } }> = pipeline;
  const own = config.MILLRACE_STAGES ?? keys(pipeline);
  const progress = new Progress(own);
  core.standstills.push(() => progress.standstill(queues));
  const workers = startWorkers(runner, {
    queues: own,
    progress,
    redis: redis.worker,
    prefix: config.MILLRACE_REDIS_PREFIX,
    limitsOf: (stage) => ({
      concurrency: config.stages[stage]?.concurrency ?? stages[stage]?.stage.concurrency ?? 1,
      rate: config.stages[stage]?.rate,
    }),
    fork: (execArgv) => harden({ memoryMb: config.MILLRACE_SANDBOX_MEMORY_MB, execArgv }),
  });
  closers.add(() => workers.stop(config.MILLRACE_SHUTDOWN_GRACE));

  const queue = queues.byStage.get(quarantine);
  const [, program = ''] = process.argv;
  if (config.MILLRACE_STAGES || !queue) return;
  const { databaseUrl: DATABASE_URL, redisUrl: REDIS_URL } = services;
  const MILLRACE_SECRET_KEY = config.MILLRACE_SECRET_KEY ?? (await services.directory?.secret('secret-key'));
  const supervisor = superviseQuarantine({
    queue,
    command: [process.execPath, ...process.execArgv, program, 'worker', '--stages', quarantine],
    env: { ...process.env, DATABASE_URL, REDIS_URL, MILLRACE_SECRET_KEY },
    log: resources.log,
  });
  closers.add(() => supervisor.stop(config.MILLRACE_SHUTDOWN_GRACE));
}

async function announceWorker({ config, resources, worker }: Core, closers: Closers): Promise<void> {
  const { db } = resources.database;
  const ours = { worker, stages: config.MILLRACE_STAGES ?? keys(pipeline) };
  await appendEvent(db, 'WORKER_STARTED', null, ours);
  closers.add(() =>
    appendEvent(db, 'WORKER_FINISHED', null, ours).catch((error: unknown) =>
      resources.log.warn({ reason: describeError(error) }, 'the end of this worker could not be written down'),
    ),
  );
}
