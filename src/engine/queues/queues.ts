import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { batchCalls } from '../../lib/batch-calls.ts';
import { newId } from '../../lib/ids.ts';
import { SECOND } from '../../lib/time.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { Log } from '../../observability/logger.ts';
import { type Announcement, type JobData, quarantine, queueForHint } from '../task/task.ts';
import { bundleHints, hintId, inBundles } from './hint-jobs.ts';

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
  redis: Redis;
  prefix: string;
  log: Log;
  /** How many tasks one hint in a queue may point at. Default: 1. */
  bundleOf?: (queue: string) => number;
}

export function openQueues(
  names: readonly string[],
  { redis, prefix, log, bundleOf = () => 1 }: QueuesOptions,
): Queues {
  const byStage = new Map(
    [...names, quarantine].map((name) => {
      const queue = new Queue<JobData>(name, {
        connection: redis,
        prefix: queuePrefix(prefix, name),
        skipWaitingForReady: true,
        // Postgres counts attempts and records failures, so finished jobs are not needed.
        defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
      });
      queue.on('error', (error) => log.debug({ err: error, queue: name }, 'queue error'));
      return [name, queue] as const;
    }),
  );
  // Suspects run alone.
  const mostIn = (queue: string) => (queue === quarantine ? 1 : bundleOf(queue));

  const add = async (queue: Queue<JobData>, hints: Announcement[]): Promise<undefined[]> => {
    const jobs = bundleHints(hints, mostIn(queue.name));
    const [only] = jobs;
    try {
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

  const haveOwnJobs = async (hints: Announcement[]): Promise<boolean[]> => {
    const pipeline = redis.pipeline();
    for (const hint of hints) {
      const name = queueForHint(hint);
      pipeline.exists(`${queuePrefix(prefix, name)}:${name}:${hintId(hint)}`);
    }
    const replies = await orTimeOut(pipeline.exec());
    return (replies ?? []).map(([error, found]) => {
      if (error) throw error;
      return found === 1;
    });
  };

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
      const own = await haveOwnJobs(hints);
      const rest = new Set(hints.filter((_, i) => !own[i]).map(queueForHint));
      const bundling = [...byStage].flatMap(([name, queue]) =>
        rest.has(name) && mostIn(name) > 1 ? [queue] : [],
      );
      const bundled = await orTimeOut(inBundles(bundling));
      return hints.map((hint, i) => own[i] || bundled.has(hintId(hint)));
    },
    async lostMemory() {
      return (await orTimeOut(redis.set(`${prefix}:incarnation`, newId(), 'NX'))) === 'OK';
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
