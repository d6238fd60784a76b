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
  /** One queue a stage, two where it has lanes, by their names, and that of the suspects. */
  readonly byStage: ReadonlyMap<string, Queue<JobData>>;
  announce(hints: Announcement[]): Promise<void>;
  /** Which of these hints Redis still has. */
  known(hints: Announcement[]): Promise<boolean[]>;
  /** Whether Redis was emptied since it was last asked (or was never used): its mark is gone. Leaves a new one. */
  lostMemory(): Promise<boolean>;
  close(): Promise<void>;
}

/** Every queue lies under a hash tag of its own, so that a Redis Cluster spreads them over its shards. */
export function queuePrefix(prefix: string, queue: string): string {
  return `{${prefix}-${queue}}`;
}

/** Nobody waits longer than this for Redis: what could not be announced in time is found by the reconciler. */
const patienceMs = 5 * SECOND;

interface QueuesOptions {
  redis: Redis;
  prefix: string;
  log: Log;
  /** How many tasks one hint in a queue may point at. One unless told. */
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
        // Postgres counts attempts and keeps what failed; a finished job has nothing left to tell.
        defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
      });
      queue.on('error', (error) => log.debug({ err: error, queue: name }, 'queue error'));
      return [name, queue] as const;
    }),
  );
  // What is suspected to kill its worker is run alone.
  const mostIn = (queue: string) => (queue === quarantine ? 1 : bundleOf(queue));

  const add = async (queue: Queue<JobData>, hints: Announcement[]): Promise<undefined[]> => {
    const jobs = bundleHints(hints, mostIn(queue.name));
    const [only] = jobs;
    try {
      // A single command needs no pipeline, which is dear to set up.
      if (only && jobs.length === 1) await withPatience(queue.add(only.name, only.data, only.opts));
      else await withPatience(queue.addBulk(jobs));
    } catch (error) {
      log.warn(
        { err: error, hints: hints.length },
        'hints were not announced; they will be found again',
      );
    }
    return Array.from(hints, () => undefined);
  };
  const adders = new Map(
    [...byStage].map(([name, queue]) => [
      name,
      // One at a time: a pipeline costs the same however much is in it.
      batchCalls((hints: Announcement[]) => add(queue, hints), { most: 1000, inFlight: 1 }),
    ]),
  );

  const haveOwnJobs = async (hints: Announcement[]): Promise<boolean[]> => {
    const pipeline = redis.pipeline();
    for (const hint of hints) {
      const name = queueForHint(hint);
      pipeline.exists(`${queuePrefix(prefix, name)}:${name}:${hintId(hint)}`);
    }
    const replies = await withPatience(pipeline.exec());
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
      const bundled = await withPatience(inBundles(bundling));
      return hints.map((hint, i) => own[i] || bundled.has(hintId(hint)));
    },
    async lostMemory() {
      return (await withPatience(redis.set(`${prefix}:incarnation`, newId(), 'NX'))) === 'OK';
    },
    async close() {
      await Promise.all([...byStage.values()].map((queue) => queue.close()));
    },
  };
}

async function withPatience<T>(work: Promise<T>): Promise<T> {
  const result = await withTimeout(patienceMs, work);
  if (result === 'late') throw new Error(`Redis did not answer within ${patienceMs / SECOND} s`);
  return result;
}
