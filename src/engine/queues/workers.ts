import { pathToFileURL } from 'node:url';
import { type Job, Worker, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Lane } from '../../domain/lane.ts';
import type { EntryPoint } from '../../lib/entry-point.ts';
import { SECOND } from '../../lib/time.ts';
import { within } from '../../lib/within.ts';
import { handleJob } from '../task/handle-job.ts';
import { inRoom, limit } from './capacity.ts';
import type { Lifetime } from './lifetime.ts';
import type { RunInChild } from '../task/perform.ts';
import { placeOf, stepOf } from '../pipeline/pipeline.ts';
import { Progress } from './progress.ts';
import { queuePrefix } from './queues.ts';
import type { Runner } from '../task/run.ts';
import { type Handle, SandboxedWorker } from './sandboxed-worker.ts';
import { type Entrance, Slots } from './slots.ts';
import { type JobData, quarantine } from '../task/task.ts';
import { units } from './lane-weight.ts';

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
  /** How children of sandboxed stages are started, given what node needs on its command line. */
  fork(
    execArgv: string[],
    lane: Lane,
  ): Pick<NonNullable<WorkerOptions['workerForkOptions']>, 'execPath' | 'execArgv' | 'env'>;
}

export interface Workers {
  /** Stops taking work at once, lets running tasks end within the grace period, then hands the rest back. */
  stop(graceMs: number): Promise<void>;
}

/** How long released tasks may take to be written back before the process goes anyway. */
const releaseMs = 5 * SECOND;

/** What the workers of one process share. */
interface Shared extends Omit<WorkersOptions, 'slots'> {
  progress: Progress;
  slots: Slots | undefined;
  /** Each queue's way to the slots. */
  rooms: Map<string, Entrance>;
}

/** One BullMQ worker a queue around `runTask`. BullMQ's own counters decide nothing: Postgres does. */
export function startWorkers(runner: Runner, options: WorkersOptions): Workers {
  const { log } = runner.resources;
  const { progress = new Progress([]) } = options;
  const slots = options.slots === undefined ? undefined : new Slots(options.slots);
  const rooms = new Map<string, Entrance>();
  const shared = { ...options, progress, slots, rooms };
  const workers = options.queues.map((queue) => startWorker(runner, queue, shared));
  progress.excuse((queue) => rooms.get(queue)?.full ?? false);
  return {
    async stop(graceMs) {
      progress.excuse(() => true);
      const closing = Promise.all(workers.map((worker) => worker.close()));
      if ((await within(graceMs, closing)) === 'late') {
        log.warn({ tasks: runner.leases.size }, 'the grace period is over: running tasks are handed back');
        runner.leases.releaseAll();
        await within(releaseMs, closing);
      }
    },
  };
}

function startWorker(runner: Runner, queue: string, shared: Shared): Worker {
  const { log } = runner.resources;
  const worker = queue === quarantine ? quarantineWorker(runner, shared) : stageWorker(runner, queue, shared);
  worker.on('error', (error) => log.debug({ err: error, queue }, 'worker error'));
  worker.on('failed', (_, error) =>
    log.warn({ err: error, queue }, 'a task could not be handled; it will be found again'),
  );
  void worker.run().catch((error: unknown) => log.error({ err: error, queue }, 'worker stopped'));
  return worker;
}

function stageWorker(runner: Runner, queue: string, shared: Shared): Worker {
  const { redis, prefix, limitsOf, fork, progress, slots, rooms, lifetime } = shared;
  const { stage, lane } = placeOf(runner.pipeline, queue);
  const { processor } = stepOf(runner.pipeline, stage).stage;
  const { concurrency, rate } = limitsOf(queue);
  const options: WorkerOptions = {
    ...common(redis, prefix, queue),
    concurrency,
    ...(rate && { limiter: { max: Math.max(1, Math.round(rate)), duration: Math.max(SECOND, SECOND / rate) } }),
    ...(processor && { workerForkOptions: fork(processor.execArgv, lane) }),
  };
  const handle: Handle = (job, inChild) =>
    inRoom(job, rooms.get(queue), () =>
      progress.during(queue, () => handleJob(runner, queue, job, { inChild, lifetime })),
    );
  const worker = processor
    ? new SandboxedWorker(queue, processor.path, handle, options)
    : new Worker<JobData>(queue, (job) => handle(job, noProcessor), options);
  const room = slots?.open({ units: units[lane], most: concurrency }, (tasks) => limit(worker, tasks));
  if (room) rooms.set(queue, room);
  return worker;
}

/** One task at a time, of any stage: here a sandboxed processor needs no sandbox of its own. */
function quarantineWorker(runner: Runner, shared: Shared): Worker {
  const { redis, prefix, progress, lifetime } = shared;
  const handle = (job: Job<JobData>) => {
    const { stage } = placeOf(runner.pipeline, job.name);
    const { processor } = stepOf(runner.pipeline, stage).stage;
    const options = { inChild: processor ? inThisProcess(processor) : noProcessor, alone: true };
    return progress.during(quarantine, () => handleJob(runner, job.name, job, { ...options, lifetime }));
  };
  return new Worker<JobData>(quarantine, handle, { ...common(redis, prefix, quarantine), concurrency: 1 });
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

function inThisProcess({ path }: EntryPoint): RunInChild {
  return async (data, signal) => {
    const module = (await import(pathToFileURL(path).href)) as { default: (...args: unknown[]) => Promise<unknown> };
    return module.default({ data }, '', signal);
  };
}

const noProcessor: RunInChild = () => Promise.reject(new Error('This stage has no processor to run in a child'));
