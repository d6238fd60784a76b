import { randomBytes } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { queuePrefix } from '../../src/engine/queues/queues.ts';
import { Closers } from '../../src/lib/closers.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Bench } from './bench.ts';
import type { Course } from './course.ts';
import { concurrency, hops } from './hops.ts';

interface Hop {
  id: string;
}

/**
 * BullMQ alone: each job adds the next one, and nothing else is written. The upper bound for any
 * engine built on it.
 */
export async function openBareChain(
  { redisUrl }: Pick<Bench, 'redisUrl'>,
  onEnd: (id: string) => void,
  onHop: (id: string) => Promise<unknown> = async () => undefined,
): Promise<Course> {
  const closers = new Closers();
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  closers.add(() => redis.disconnect());
  const prefix = `bare-${randomBytes(4).toString('hex')}`;
  const queues = hops.map((hop) => {
    const queue = new Queue<Hop>(hop, {
      connection: redis,
      prefix: queuePrefix(prefix, hop),
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    closers.add(() => queue.close());
    return queue;
  });
  const add = (at: number, ids: string[]) =>
    queues[at]?.addBulk(
      ids.map((id) => ({ name: 'hop', data: { id }, opts: { jobId: `${id}-${at}` } })),
    );
  return {
    async seed(count) {
      const ids = Array.from({ length: count }, newId);
      for (let i = 0; i < ids.length; i += 1000) await add(0, ids.slice(i, i + 1000));
    },
    start() {
      hops.forEach((hop, at) => {
        const next = queues[at + 1];
        const worker = new Worker<Hop>(
          hop,
          async ({ data: { id } }) => {
            await onHop(id);
            await next?.add('hop', { id }, { jobId: `${id}-${at + 1}` });
          },
          { connection: redis, prefix: queuePrefix(prefix, hop), concurrency },
        );
        if (!next) worker.on('completed', ({ data: { id } }) => onEnd(id));
        closers.add(() => worker.close());
      });
    },
    close: () => closers.close(),
  };
}
