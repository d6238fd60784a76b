import { Queue } from 'bullmq';
import { queueName } from '../../domain/lane.ts';
import { batchCalls } from '../../lib/batch-calls.ts';
import { newId } from '../../lib/ids.ts';
import type { RedisClient } from '../../lib/redis-client.ts';
import { SECOND } from '../../lib/time.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { Log } from '../../observability/logger.ts';
import {
  type Announcement,
  type Hint,
  hintsIn,
  type JobData,
  jobData,
  quarantine,
  queueForHint,
} from '../task/task.ts';
import { assignRounds } from './fair-order.ts';
import { openMarkers } from './marker.ts';

export interface Queues {
  /** By name: one queue per stage, two if it has lanes, and the quarantine queue. */
  readonly byStage: ReadonlyMap<string, Queue<JobData>>;
  announce(hints: Announcement[]): Promise<void>;
  /** For each hint, whether Redis still has it. */
  known(hints: Announcement[]): Promise<boolean[]>;
  /** Whether Redis lost its marker key since the last call, that is, its data. Sets a new one. */
  lostMemory(): Promise<boolean>;
  close(): Promise<void>;
}

/** Each queue has its own hash tag, so that a Redis Cluster spreads them over its shards. */
export function queuePrefix(prefix: string, queue: string): string {
  return `{${prefix}-${queue}}`;
}

/** Limit of every wait for Redis. The reconciler finds hints that were not announced. */
const redisTimeoutMs = 5 * SECOND;

interface QueuesOptions {
  redis: RedisClient;
  prefix: string;
  log: Log;
  /** How many tasks one hint in a queue may point at. Default: 1. */
  bundleOf?: (queue: string) => number;
  /**
   * Whether workspaces take turns in the queues whose jobs point at one task each. The work of
   * bundled stages is too small for anybody to wait long. Default: first come, first served.
   */
  fair?: boolean;
}

export function openQueues(
  names: readonly string[],
  { redis, prefix, log, bundleOf = () => 1, fair = false }: QueuesOptions,
): Queues {
  const byStage = new Map(
    [...names, quarantine].map((name) => {
      const queue = new Queue<JobData>(name, {
        connection: redis,
        prefix: queuePrefix(prefix, name),
        skipWaitingForReady: true,
        // Postgres counts attempts and records failures. Some finished jobs are kept for the board
        // (`finishJob`).
        defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
      });
      queue.on('error', (error) => log.debug({ err: error, queue: name }, 'queue error'));
      return [name, queue] as const;
    }),
  );
  // Suspects run alone.
  const mostIn = (queue: string) => (queue === quarantine ? 1 : bundleOf(queue));

  const toJobs = async (queue: Queue, hints: Announcement[]): Promise<NewJob[]> => {
    const most = mostIn(queue.name);
    const jobs = bundleHints(hints, most);
    if (!fair || most > 1) return jobs;
    const workspaceIds = hints.map(({ workspaceId }) => workspaceId ?? '');
    const rounds = await orTimeOut(assignRounds(redis, queue.qualifiedName, workspaceIds));
    return jobs.map((job, i) => ({ ...job, opts: { ...job.opts, priority: rounds[i] ?? 1 } }));
  };

  const add = async (queue: Queue<JobData>, hints: Announcement[]): Promise<undefined[]> => {
    try {
      const jobs = await toJobs(queue, hints);
      const [only] = jobs;
      // A single command avoids the cost of setting up a pipeline.
      if (only && jobs.length === 1) await orTimeOut(queue.add(only.name, only.data, only.opts));
      else await orTimeOut(queue.addBulk(jobs));
    } catch (error) {
      log.warn(
        { err: error, hints: hints.length },
        'could not announce hints; the reconciler will announce them again',
      );
    }
    return Array.from(hints, () => undefined);
  };
  const adders = new Map(
    [...byStage].map(([name, queue]) => [
      name,
      // One call in flight: a pipeline costs about the same however many hints it has.
      batchCalls((hints: Announcement[]) => add(queue, hints), { most: 1000, inFlight: 1 }),
    ]),
  );

  const markers = openMarkers(redis, {
    prefix,
    queuePrefixes: [...byStage.keys()].map((name) => queuePrefix(prefix, name)),
  });

  return {
    byStage,
    async announce(hints) {
      await Promise.all(
        hints.map((hint) => {
          const addTo = adders.get(queueForHint(hint));
          if (!addTo) throw new Error(`There is no queue "${queueForHint(hint)}"`);
          return addTo(hint);
        }),
      );
    },
    async known(hints) {
      const own = await orTimeOut(findOwnJobs(redis, prefix, hints));
      const unknown = hints.filter((hint) => !own.has(hintId(hint)));
      const rest = new Set(unknown.map(queueForHint));
      const bundling = [...byStage].flatMap(([name, queue]) =>
        rest.has(name) && mostIn(name) > 1 ? [queue] : [],
      );
      const bundled = await orTimeOut(inBundles(bundling));
      return hints.map(hintId).map((id) => own.has(id) || bundled.has(id));
    },
    async lostMemory() {
      return orTimeOut(markers.missing());
    },
    async close() {
      await Promise.all([...byStage.values()].map((queue) => queue.close()));
    },
  };
}

async function orTimeOut<T>(work: Promise<T>): Promise<T> {
  const result = await withTimeout(redisTimeoutMs, work);
  if (result === 'late')
    throw new Error(`Redis did not answer within ${redisTimeoutMs / SECOND} s`);
  return result;
}

/** Contains the epoch: a repeated hint adds no job, and an old job never blocks a new hint. */
export function hintId({ taskId, epoch }: Hint): string {
  return `${taskId}-${epoch}`;
}

function pointerOf({ taskId, epoch }: Hint): Hint {
  return { taskId, epoch };
}

interface NewJob {
  name: string;
  data: JobData;
  opts: { jobId: string; priority?: number };
}

/** Turns the hints for one queue into jobs: one each, or bundles of at most `most` hints. */
export function bundleHints(hints: readonly Announcement[], most: number): NewJob[] {
  const jobs: NewJob[] = [];
  for (let from = 0; from < hints.length; from += most) {
    const part = hints.slice(from, from + most);
    const [first] = part;
    if (!first) break;
    // The quarantine queue is shared, so the job name tells which queue a suspect is from.
    const name = queueName(first.stage, first.lane);
    if (part.length === 1)
      jobs.push({ name, data: pointerOf(first), opts: { jobId: hintId(first) } });
    // With the id of one of its tasks, an existing job of that task would block the whole bundle.
    else jobs.push({ name, data: { tasks: part.map(pointerOf) }, opts: { jobId: newId() } });
  }
  return jobs;
}

/** The ids of the hints that have a job of their own. */
async function findOwnJobs(
  redis: RedisClient,
  prefix: string,
  hints: readonly Announcement[],
): Promise<Set<string>> {
  const queues = [...new Set(hints.map(queueForHint))];
  const found = await Promise.all(
    // In a cluster, all keys of a pipeline must be on the same server.
    queues.map(async (name) => {
      const group = hints.filter((hint) => queueForHint(hint) === name);
      const pipeline = redis.pipeline();
      for (const hint of group)
        pipeline.exists(`${queuePrefix(prefix, name)}:${name}:${hintId(hint)}`);
      const replies = (await pipeline.exec()) ?? [];
      return group.filter((_, i) => {
        const [error, count] = replies[i] ?? [];
        if (error) throw error;
        return count === 1;
      });
    }),
  );
  return new Set(found.flat().map(hintId));
}

/** The ids of all hints in bundles that wait or are active in these queues. */
export async function inBundles(queues: readonly Queue<JobData>[]): Promise<Set<string>> {
  const jobs = await Promise.all(
    queues.map((queue) => queue.getJobs(['wait', 'active', 'prioritized'])),
  );
  return new Set(
    jobs.flat().flatMap((job) => {
      // A job that finished between listing and reading is missing.
      const { data } = jobData.safeParse(job?.data);
      return data ? hintsIn(data).map(hintId) : [];
    }),
  );
}
