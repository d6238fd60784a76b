import { type Job, Worker, type WorkerOptions } from 'bullmq';
import type { Lane } from '../../domain/lane.ts';
import type { RedisClient } from '../../lib/redis-client.ts';
import { SECOND } from '../../lib/time.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { harden } from '../../sandbox/hardening.ts';
import { processorEntry, type SandboxOptions } from '../../sandbox/sandbox.ts';
import { findStep, parseQueueName } from '../pipeline/pipeline.ts';
import { runJob } from '../task/executor.ts';
import type { RunInChild } from '../task/perform.ts';
import type { Runner } from '../task/runner.ts';
import { type JobData, quarantine } from '../task/task.ts';
import { type CapacitySlot, inCapacity, limitJobs } from './capacity.ts';
import { finishJob, TaskFailedError } from './finished-jobs.ts';
import { laneWeight } from './lane-weight.ts';
import type { Lifetime } from './lifetime.ts';
import { Progress } from './progress.ts';
import { queuePrefix } from './queues.ts';
import { SandboxedWorker } from './sandboxed-worker.ts';
import { Slots } from './slots.ts';

export interface StageLimits {
  concurrency: number;
  /** Tasks started per second across all processes. Default: no limit. */
  rate: number | undefined;
}

export interface WorkersOptions {
  /** Queues of stages and lanes, or the quarantine queue. */
  queues: readonly string[];
  redis: RedisClient;
  prefix: string;
  limitsOf(queue: string): StageLimits;
  /** Units of work at once. Default: limited only by the queues' own limits. */
  slots?: number | undefined;
  lifetime?: Pick<Lifetime, 'spend'>;
  progress?: Progress;
  /** Memory limit of the child processes of sandboxed stages, by lane. */
  memoryMb?: Readonly<Record<Lane, number>>;
  /** Further limits of these processes. */
  sandbox?: Pick<SandboxOptions, 'fileMb' | 'hidden' | 'share'>;
  /** How many finished jobs each queue keeps for the board, completed and failed. Default: none. */
  boardKeep?: number;
}

export interface Workers {
  /** Takes no more work, waits for running tasks up to the grace period, hands the rest back. */
  stop(graceMs: number): Promise<void>;
}

/** How long to wait for released tasks to be written back before exiting anyway. */
const releaseMs = 5 * SECOND;

const defaultMemoryMb = { small: 1024, large: 2048 };

interface Shared extends Omit<WorkersOptions, 'slots'> {
  progress: Progress;
  slots: Slots | undefined;
  /** The capacity slot of each queue. */
  capacity: Map<string, CapacitySlot>;
}

/** One BullMQ worker per queue around `runJob`. Postgres decides, not BullMQ's counters. */
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
          'the grace period is over; handing running tasks back',
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
  worker.on('failed', (_, error) => {
    if (error instanceof TaskFailedError) return;
    log.warn(
      { err: error, queue },
      'could not handle a job; the reconciler will announce its task again',
    );
  });
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
        {
          hardening: harden({
            ...shared.sandbox,
            memoryMb: memoryMb[lane],
            execArgv: processorEntry.execArgv,
          }),
          share: shared.sandbox?.share ?? 'workspace',
        },
        options,
      )
    : new Worker<JobData>(queue, (job) => handle(job), options);
  const slot = slots?.open({ units: laneWeight[lane], most: concurrency }, (tasks) =>
    limitJobs(worker, tasks),
  );
  if (slot) capacity.set(queue, slot);
  return worker;
}

async function runInCapacity(
  runner: Runner,
  queue: string,
  job: Job<JobData>,
  {
    inChild,
    capacity,
    progress,
    lifetime,
    boardKeep = 0,
  }: Shared & { inChild: RunInChild | undefined },
): Promise<void> {
  const { stage, lane } = parseQueueName(runner.pipeline, queue);
  const { laned } = runner.policy.laneRulesOf(stage);
  const onTaskEnded = () => lifetime?.spend(laned ? lane : undefined);
  const result = await inCapacity(job, capacity.get(queue), () =>
    progress.during(queue, () => runJob(runner, queue, job, { inChild, onTaskEnded })),
  );
  finishJob(job, result, boardKeep);
}

/** Runs one task at a time, of any stage. */
function quarantineWorker(
  runner: Runner,
  { redis, prefix, progress, lifetime, boardKeep = 0 }: Shared,
): Worker {
  const handle = async (job: Job<JobData>) => {
    const { stage, lane } = parseQueueName(runner.pipeline, job.name);
    const { laned } = runner.policy.laneRulesOf(stage);
    const onTaskEnded = () => lifetime?.spend(laned ? lane : undefined);
    const result = await progress.during(quarantine, () =>
      runJob(runner, job.name, job, { alone: true, onTaskEnded }),
    );
    finishJob(job, result, boardKeep);
  };
  return new Worker<JobData>(quarantine, handle, {
    ...common(redis, prefix, quarantine),
    concurrency: 1,
  });
}

function common(redis: RedisClient, prefix: string, queue: string): WorkerOptions {
  return {
    connection: redis,
    prefix: queuePrefix(prefix, queue),
    lockDuration: 30 * SECOND,
    stalledInterval: 15 * SECOND,
    // A stalled job that comes back is only a repeated hint.
    maxStalledCount: 1000,
    autorun: false,
  };
}
