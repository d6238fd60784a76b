import { appendEvent } from '../db/events.ts';
import { queuesNamed } from '../domain/lane.ts';
import { defaultLimits, queueNames } from '../engine/pipeline/pipeline.ts';
import { type Lifetime, openLifetime } from '../engine/queues/lifetime.ts';
import { Progress } from '../engine/queues/progress.ts';
import { startWorkers } from '../engine/queues/workers.ts';
import { quarantine } from '../engine/task/task.ts';
import type { Closers } from '../lib/closers.ts';
import { describeError } from '../lib/describe-error.ts';
import { sandboxSettings } from '../sandbox/settings.ts';
import { pipeline } from '../workers/pipeline.ts';
import type { Core } from './core.ts';
import { keepQuarantine } from './quarantine.ts';

/**
 * Starts workers for the configured stages. A process that runs all stages also starts a quarantine
 * process when one is needed. The returned lifetime ends when this process should be replaced.
 */
export async function startWorkerRole(core: Core, closers: Closers): Promise<Lifetime> {
  const { config, redis, runner, queues } = core;
  const lifetime = lifetimeOf(core);
  const all = queueNames(pipeline);
  const own =
    config.MILLRACE_STAGES?.flatMap((name) =>
      name === quarantine ? name : queuesNamed(name, all),
    ) ?? all;
  await announceWorker(core, { stages: own, lifetime }, closers);
  await keepQuarantine(core, closers);
  const progress = new Progress(own);
  core.stallChecks.push(() => progress.stallReason(queues));
  const memoryMb = {
    small: config.MILLRACE_SANDBOX_MEMORY_MB,
    large: config.MILLRACE_LARGE_MEMORY_MB,
  };
  const workers = startWorkers(runner, {
    queues: [...new Set(own)],
    progress,
    lifetime,
    slots: config.MILLRACE_SLOTS,
    redis: redis.worker,
    prefix: config.MILLRACE_REDIS_PREFIX,
    limitsOf: (queue) => ({
      concurrency: config.stages[queue]?.concurrency ?? defaultLimits(pipeline, queue).concurrency,
      rate: config.stages[queue]?.rate,
    }),
    memoryMb,
    sandbox: sandboxSettings(config),
    boardKeep: config.MILLRACE_BOARD_KEEP,
  });
  closers.add(() => workers.stop(config.MILLRACE_SHUTDOWN_GRACE));
  return lifetime;
}

/** Only pure worker processes retire: nothing restarts a process that has other roles too. */
function lifetimeOf({ config, resources: { log, metrics } }: Core): Lifetime {
  const isReplaced = config.MILLRACE_ROLES.every((role) => role === 'worker');
  const { MILLRACE_WORKER_LIFETIME: budget, MILLRACE_WORKER_MEMORY_MB: memoryMb } = config;
  const lifetime = openLifetime(
    isReplaced ? { budget, memoryMb } : { budget: 0, memoryMb: undefined },
  );
  void lifetime.over.then((reason) => {
    metrics.workerRetired(reason);
    log.info({ reason }, 'this worker takes no more work and exits to be replaced');
  });
  return lifetime;
}

async function announceWorker(
  { resources, worker }: Core,
  { stages, lifetime }: { stages: string[]; lifetime: Lifetime },
  closers: Closers,
): Promise<void> {
  const { db } = resources.database;
  const ours = { worker, stages };
  await appendEvent(db, 'WORKER_STARTED', null, ours);
  closers.add(() =>
    appendEvent(db, 'WORKER_FINISHED', null, {
      ...ours,
      reason: lifetime.reason ?? 'stopped',
    }).catch((error: unknown) =>
      resources.log.warn(
        { reason: describeError(error) },
        'could not record the end of this worker',
      ),
    ),
  );
}
