import { type Job, Worker, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { SECOND } from '../lib/time.ts';
import { within } from '../lib/within.ts';
import { stepOf } from './pipeline.ts';
import { Progress } from './progress.ts';
import { queuePrefix } from './queues.ts';
import { type Runner, runTask } from './run.ts';
import { type Handle, SandboxedWorker } from './sandboxed-worker.ts';
import { type Hint, hint } from './task.ts';

export interface StageLimits {
  concurrency: number;
  /** Tasks started per second over all processes; no limit when absent. */
  rate: number | undefined;
}

export interface WorkersOptions {
  stages: readonly string[];
  redis: Redis;
  prefix: string;
  limitsOf(stage: string): StageLimits;
  progress?: Progress;
  /** How children of sandboxed stages are started, given what node needs on its command line. */
  fork(execArgv: string[]): Pick<NonNullable<WorkerOptions['workerForkOptions']>, 'execPath' | 'execArgv' | 'env'>;
}

export interface Workers {
  /** Stops taking work at once, lets running tasks end within the grace period, then hands the rest back. */
  stop(graceMs: number): Promise<void>;
}

/** How long released tasks may take to be written back before the process goes anyway. */
const releaseMs = 5 * SECOND;

/** One BullMQ worker a stage around `runTask`. BullMQ's own counters decide nothing: Postgres does. */
export function startWorkers(runner: Runner, options: WorkersOptions): Workers {
  const { log } = runner.resources;
  const workers = options.stages.map((stage) => startWorker(runner, stage, options));
  return {
    async stop(graceMs) {
      const closing = Promise.all(workers.map((worker) => worker.close()));
      if ((await within(graceMs, closing)) === 'late') {
        log.warn({ tasks: runner.leases.size }, 'the grace period is over: running tasks are handed back');
        runner.leases.releaseAll();
        await within(releaseMs, closing);
      }
    },
  };
}

function startWorker(
  runner: Runner,
  stage: string,
  { redis, prefix, limitsOf, progress, fork }: WorkersOptions,
): Worker {
  const { log } = runner.resources;
  const { processor } = stepOf(runner.pipeline, stage).stage;
  const { concurrency, rate } = limitsOf(stage);
  const options: WorkerOptions = {
    connection: redis,
    prefix: queuePrefix(prefix, stage),
    concurrency,
    ...(rate && { limiter: { max: Math.max(1, Math.round(rate)), duration: Math.max(SECOND, SECOND / rate) } }),
    lockDuration: 30 * SECOND,
    stalledInterval: 15 * SECOND,
    // A job that comes back as stalled is only a hint given twice.
    maxStalledCount: 1000,
    autorun: false,
    ...(processor && { workerForkOptions: fork(processor.execArgv) }),
  };
  const handle = makeHandle(runner, stage, progress);
  const worker = processor
    ? new SandboxedWorker(stage, processor.path, handle, options)
    : new Worker<Hint>(stage, (job) => handle(job, notSandboxed), options);
  worker.on('error', (error) => log.debug({ err: error, stage }, 'worker error'));
  worker.on('failed', (_, error) =>
    log.warn({ err: error, stage }, 'a task could not be handled; it will be found again'),
  );
  void worker.run().catch((error: unknown) => log.error({ err: error, stage }, 'worker stopped'));
  return worker;
}

function makeHandle(runner: Runner, stage: string, progress = new Progress([])): Handle {
  const { log, metrics } = runner.resources;
  return async (job: Job<Hint>, inChild) => {
    const pointer = hint.safeParse(job.data);
    if (!pointer.success) {
      metrics.hintDropped(stage, 'malformed');
      log.warn({ stage, jobId: job.id }, 'dropped a job that is no pointer to a task');
      return;
    }
    await progress.during(stage, () => runTask(runner, stage, pointer.data, inChild));
  };
}

function notSandboxed(): Promise<never> {
  return Promise.reject(new Error('This stage has no processor to run in a child'));
}
