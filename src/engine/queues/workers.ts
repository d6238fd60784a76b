import { type Job, Worker, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Lane } from '../../domain/lane.ts';
import { SECOND } from '../../lib/time.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { harden } from '../../sandbox/hardening.ts';
import { processorEntry } from '../../sandbox/sandbox.ts';
import { findStep, parseQueueName } from '../pipeline/pipeline.ts';
import { runJob } from '../task/executor.ts';
import type { RunInChild } from '../task/perform.ts';
import type { Runner } from '../task/runner.ts';
import { type JobData, quarantine } from '../task/task.ts';
import { type CapacitySlot, inCapacity, limitJobs } from './capacity.ts';
import { laneWeight } from './lane-weight.ts';
import type { Lifetime } from './lifetime.ts';
import { Progress } from './progress.ts';
import { queuePrefix } from './queues.ts';
import { SandboxedWorker } from './sandboxed-worker.ts';
import { Slots } from './slots.ts';

export interface StageLimits {
  concurrency: number;
  /** Tasks started per second over all processes; no limit when absent. */
  rate: number | undefined;
}

export interface WorkersOptions {
  /** Those of stages and their lanes, or the quarantine. */
  queues: readonly string[];
  redis: Redis;
  prefix: string;
  limitsOf(queue: string): StageLimits;
  /** Units of work at once; as many as the limits of the queues allow together when absent. */
  slots?: number | undefined;
  lifetime?: Pick<Lifetime, 'spend'>;
  progress?: Progress;
  /** Of the children of sandboxed stages, by lane. */
  memoryMb?: Readonly<Record<Lane, number>>;
}

export interface Workers {
  /** Stops taking work at once, lets running tasks end within the grace period, then hands the rest back. */
  stop(graceMs: number): Promise<void>;
}

/** How long released tasks may take to be written back before the process goes anyway. */
const releaseMs = 5 * SECOND;

const defaultMemoryMb = { small: 1024, large: 2048 };

/** What the workers of one process share. */
interface Shared extends Omit<WorkersOptions, 'slots'> {
  progress: Progress;
  slots: Slots | undefined;
  /** Each queue's way to the slots. */
  capacity: Map<string, CapacitySlot>;
}

/** One BullMQ worker per queue around `runJob`. BullMQ's own counters decide nothing: Postgres does. */
export function startWorkers(runner: Runner, options: WorkersOptions): Workers {
  const { log } = runner.resources;
  const { progress = new Progress([]) } = options;
  const slots = options.slots === undefined ? undefined : new Slots(options.slots);
  const capacity = new Map<string, CapacitySlot>();
  const shared = { ...options, progress, slots, capacity };
  const workers = options.queues.map((queue) => startWorker(runner, queue, shared));
  progress.excuse((queue) => capacity.get(queue)?.full ?? false);
  return {
    async stop(graceMs) {
      progress.excuse(() => true);
      const closing = Promise.all(workers.map((worker) => worker.close()));
      if ((await withTimeout(graceMs, closing)) === 'late') {
        log.warn(
          { tasks: runner.leases.size },
          'the grace period is over: running tasks are handed back',
        );
        runner.leases.releaseAll();
        await withTimeout(releaseMs, closing);
      }
    },
  };
}

function startWorker(runner: Runner, queue: string, shared: Shared): Worker {
  const { log } = runner.resources;
  const worker =
    queue === quarantine ? quarantineWorker(runner, shared) : stageWorker(runner, queue, shared);
  worker.on('error', (error) => log.debug({ err: error, queue }, 'worker error'));
  worker.on('failed', (_, error) =>
    log.warn({ err: error, queue }, 'a task could not be handled; it will be found again'),
  );
  void worker.run().catch((error: unknown) => log.error({ err: error, queue }, 'worker stopped'));
  return worker;
}

function stageWorker(runner: Runner, queue: string, shared: Shared): Worker {
  const { redis, prefix, limitsOf, slots, capacity, memoryMb = defaultMemoryMb } = shared;
  const { stage, lane } = parseQueueName(runner.pipeline, queue);
  const { concurrency, rate } = limitsOf(queue);
  const options: WorkerOptions = {
    ...common(redis, prefix, queue),
    concurrency,
    ...(rate && {
      limiter: { max: Math.max(1, Math.round(rate)), duration: Math.max(SECOND, SECOND / rate) },
    }),
  };
  const handle = (job: Job<JobData>, inChild?: RunInChild) =>
    runInCapacity(runner, queue, job, { inChild, ...shared });
  const worker = findStep(runner.pipeline, stage).stage.sandboxed
    ? new SandboxedWorker(
        queue,
        handle,
        harden({ memoryMb: memoryMb[lane], execArgv: processorEntry.execArgv }),
        options,
      )
    : new Worker<JobData>(queue, (job) => handle(job), options);
  const slot = slots?.open({ units: laneWeight[lane], most: concurrency }, (tasks) =>
    limitJobs(worker, tasks),
  );
  if (slot) capacity.set(queue, slot);
  return worker;
}

function runInCapacity(
  runner: Runner,
  queue: string,
  job: Job<JobData>,
  { inChild, capacity, progress, lifetime }: Shared & { inChild: RunInChild | undefined },
): Promise<void> {
  const { stage, lane } = parseQueueName(runner.pipeline, queue);
  const { laned } = runner.policy.laneRulesOf(stage);
  const onTaskEnded = () => lifetime?.spend(laned ? lane : undefined);
  return inCapacity(job, capacity.get(queue), () =>
    progress.during(queue, () => runJob(runner, queue, job, { inChild, onTaskEnded })),
  );
}

/** One task at a time, of any stage. */
function quarantineWorker(runner: Runner, { redis, prefix, progress, lifetime }: Shared): Worker {
  const handle = (job: Job<JobData>) => {
    const { stage, lane } = parseQueueName(runner.pipeline, job.name);
    const { laned } = runner.policy.laneRulesOf(stage);
    const onTaskEnded = () => lifetime?.spend(laned ? lane : undefined);
    return progress.during(quarantine, () =>
      runJob(runner, job.name, job, { alone: true, onTaskEnded }),
    );
  };
  return new Worker<JobData>(quarantine, handle, {
    ...common(redis, prefix, quarantine),
    concurrency: 1,
  });
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
