import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { newId } from '../lib/ids.ts';
import { SECOND } from '../lib/time.ts';
import { within } from '../lib/within.ts';
import type { Log } from '../observability/logger.ts';
import type { Announcement, Hint } from './task.ts';

export interface Queues {
  /** One queue a stage, by its name. */
  readonly byStage: ReadonlyMap<string, Queue<Hint>>;
  announce(hints: Announcement[]): Promise<void>;
  /** Which of these hints Redis still has. */
  known(hints: Announcement[]): Promise<boolean[]>;
  /** Whether Redis was emptied since it was last asked (or was never used): its mark is gone. Leaves a new one. */
  lostMemory(): Promise<boolean>;
  close(): Promise<void>;
}

/** Every queue lies under a hash tag of its own, so that a Redis Cluster spreads them over its shards. */
export function queuePrefix(prefix: string, stage: string): string {
  return `{${prefix}-${stage}}`;
}

/** The epoch is part of the id: giving the same hint twice adds one job, and an old job never blocks a new hint. */
function jobId({ taskId, epoch }: Hint): string {
  return `${taskId}-${epoch}`;
}

/** Nobody waits longer than this for Redis: what could not be announced in time is found by the reconciler. */
const patienceMs = 5 * SECOND;

export function openQueues(
  stages: readonly string[],
  { redis, prefix, log }: { redis: Redis; prefix: string; log: Log },
): Queues {
  const byStage = new Map(
    stages.map((stage) => {
      const queue = new Queue<Hint>(stage, {
        connection: redis,
        prefix: queuePrefix(prefix, stage),
        skipWaitingForReady: true,
        // Postgres counts attempts and keeps what failed; a finished job has nothing left to tell.
        defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
      });
      queue.on('error', (error) => log.debug({ err: error, queue: stage }, 'queue error'));
      return [stage, queue] as const;
    }),
  );

  const add = async (stage: string, hints: Announcement[]): Promise<void> => {
    const jobs = hints.map(({ taskId, epoch }) => ({
      name: stage,
      data: { taskId, epoch },
      opts: { jobId: jobId({ taskId, epoch }) },
    }));
    const queue = byStage.get(stage);
    if (!queue) throw new Error(`There is no queue for stage "${stage}"`);
    await withPatience(queue.addBulk(jobs));
  };

  return {
    byStage,
    async announce(hints) {
      const stagesOf = new Set(hints.map(({ stage }) => stage));
      const added = [...stagesOf].map((stage) =>
        add(
          stage,
          hints.filter((hint) => hint.stage === stage),
        ),
      );
      for (const result of await Promise.allSettled(added)) {
        if (result.status === 'rejected')
          log.warn({ err: result.reason, hints: hints.length }, 'hints were not announced; they will be found again');
      }
    },
    async known(hints) {
      const pipeline = redis.pipeline();
      for (const hint of hints) pipeline.exists(`${queuePrefix(prefix, hint.stage)}:${hint.stage}:${jobId(hint)}`);
      const replies = await withPatience(pipeline.exec());
      return (replies ?? []).map(([error, found]) => {
        if (error) throw error;
        return found === 1;
      });
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
  const result = await within(patienceMs, work);
  if (result === 'late') throw new Error(`Redis did not answer within ${patienceMs / SECOND} s`);
  return result;
}
