import { pathToFileURL } from 'node:url';
import { type Job, Worker, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { atMostEvery } from '../lib/at-most-every.ts';
import type { EntryPoint } from '../lib/entry-point.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import { within } from '../lib/within.ts';
import type { Log } from '../observability/logger.ts';
import type { RunInChild } from './perform.ts';
import { stepOf } from './pipeline.ts';
import { Progress } from './progress.ts';
import { queuePrefix } from './queues.ts';
import { type Runner, type RunOptions, runTask } from './run.ts';
import { type Handle, SandboxedWorker } from './sandboxed-worker.ts';
import { type Hint, hint, quarantine } from './task.ts';

export interface StageLimits {
  concurrency: number;
  /** Tasks started per second over all processes; no limit when absent. */
  rate: number | undefined;
}

export interface WorkersOptions {
  /** Stages, or the quarantine. */
  queues: readonly string[];
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

/** One BullMQ worker a queue around `runTask`. BullMQ's own counters decide nothing: Postgres does. */
export function startWorkers(runner: Runner, options: WorkersOptions): Workers {
  const { log } = runner.resources;
  const workers = options.queues.map((queue) => startWorker(runner, queue, options));
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

function startWorker(runner: Runner, queue: string, options: WorkersOptions): Worker {
  const { log } = runner.resources;
  const worker = queue === quarantine ? quarantineWorker(runner, options) : stageWorker(runner, queue, options);
  worker.on('error', (error) => log.debug({ err: error, queue }, 'worker error'));
  worker.on('failed', (_, error) =>
    log.warn({ err: error, queue }, 'a task could not be handled; it will be found again'),
  );
  void worker.run().catch((error: unknown) => log.error({ err: error, queue }, 'worker stopped'));
  return worker;
}

function stageWorker(runner: Runner, stage: string, given: WorkersOptions): Worker {
  const { redis, prefix, limitsOf, fork, progress = new Progress([]) } = given;
  const { processor } = stepOf(runner.pipeline, stage).stage;
  const { concurrency, rate } = limitsOf(stage);
  const options: WorkerOptions = {
    ...common(redis, prefix, stage),
    concurrency,
    ...(rate && { limiter: { max: Math.max(1, Math.round(rate)), duration: Math.max(SECOND, SECOND / rate) } }),
    ...(processor && { workerForkOptions: fork(processor.execArgv) }),
  };
  const handle: Handle = (job, inChild) => progress.during(stage, () => handleHint(runner, stage, job, { inChild }));
  if (processor) return new SandboxedWorker(stage, processor.path, handle, options);
  return new Worker<Hint>(stage, (job) => handle(job, noProcessor), options);
}

/** One task at a time, of any stage: here a sandboxed processor needs no sandbox of its own. */
function quarantineWorker(runner: Runner, { redis, prefix, progress = new Progress([]) }: WorkersOptions): Worker {
  const handle = (job: Job<Hint>) => {
    const { processor } = stepOf(runner.pipeline, job.name).stage;
    return progress.during(quarantine, () =>
      handleHint(runner, job.name, job, {
        inChild: processor ? inThisProcess(processor) : noProcessor,
        alone: true,
      }),
    );
  };
  return new Worker<Hint>(quarantine, handle, { ...common(redis, prefix, quarantine), concurrency: 1 });
}

function common(redis: Redis, prefix: string, queue: string): WorkerOptions {
  return {
    connection: redis,
    prefix: queuePrefix(prefix, queue),
    lockDuration: 30 * SECOND,
    stalledInterval: 15 * SECOND,
    // A job that comes back as stalled is only a hint given twice.
    maxStalledCount: 1000,
    autorun: false,
  };
}

async function handleHint(runner: Runner, stage: string, job: Job<Hint>, options: RunOptions): Promise<void> {
  const pointer = hint.safeParse(job.data);
  if (pointer.success) {
    await runTask(runner, stage, pointer.data, options);
    return;
  }
  runner.resources.metrics.hintDropped(stage, 'malformed');
  warnRarely(runner.resources.log, { stage, jobId: job.id });
}

/** Ten thousand bad jobs are one problem: the counter has the number, the log an example a minute. */
const warnRarely = atMostEvery(MINUTE, (log: Log, facts: object) =>
  log.warn(facts, 'dropped a job that is no pointer to a task'),
);

function inThisProcess({ path }: EntryPoint): RunInChild {
  return async (data, signal) => {
    const module = (await import(pathToFileURL(path).href)) as { default: (...args: unknown[]) => Promise<unknown> };
    return module.default({ data }, '', signal);
  };
}

const noProcessor: RunInChild = () => Promise.reject(new Error('This stage has no processor to run in a child'));
