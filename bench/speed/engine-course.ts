import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { type Database, openDatabase } from '../../src/db/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import { done } from '../../src/engine/pipeline/outcome.ts';
import {
  bundleSize,
  definePipeline,
  end,
  type Pipeline,
  step,
} from '../../src/engine/pipeline/pipeline.ts';
import { defineStage } from '../../src/engine/pipeline/stage.ts';
import { openQueues, type Queues } from '../../src/engine/queues/queues.ts';
import { startWorkers } from '../../src/engine/queues/workers.ts';
import { createRunner } from '../../src/engine/task/runner.ts';
import { Closers } from '../../src/lib/closers.ts';
import { HOUR, MINUTE } from '../../src/lib/time.ts';
import type { Log } from '../../src/observability/logger.ts';
import { finalize } from '../../src/workers/finalize.ts';
import { idleResources } from '../../test/kit/idle-resources.ts';
import type { Bench } from './bench.ts';
import type { Course } from './course.ts';
import { concurrency, hops } from './hops.ts';
import { seedDocuments } from './seed-documents.ts';

const run = async () => done('passed');
const [pass, passAlone] = [defineStage({ run, bundle: 16 }), defineStage({ run })];
const through = {
  one: step(pass, { passed: 'two' }),
  two: step(pass, { passed: 'three' }),
  three: step(pass, { passed: 'four' }),
  four: step(pass, { passed: 'five' }),
};

/** Five stages that do nothing, declared light like claim and finalize. */
export const noOps = definePipeline({ ...through, five: step(pass, { passed: end }) });
/** The same with one hint per task, as in stages with real work. */
export const hintEach = definePipeline({
  one: step(passAlone, { passed: 'two' }),
  two: step(passAlone, { passed: 'three' }),
  three: step(passAlone, { passed: 'four' }),
  four: step(passAlone, { passed: 'five' }),
  five: step(passAlone, { passed: end }),
});
/** The same, but the last stage ends the ingestion as in the real pipeline. */
export const finalizing = definePipeline({ ...through, five: step(finalize, { finalized: end }) });

/** The engine as in a worker process: queues, leases, fenced settlements and events. */
export async function openEngine(
  { redisUrl, databaseUrl, directory }: Pick<Bench, 'redisUrl' | 'databaseUrl' | 'directory'>,
  pipeline: Pipeline,
  onEnd: (id: string) => void,
  onHop: () => void = () => undefined,
): Promise<Course & { database: Database; queues: Queues }> {
  const closers = new Closers();
  const [producer, worker] = [1, null].map(
    (maxRetriesPerRequest) => new Redis(redisUrl, { maxRetriesPerRequest }),
  );
  if (!producer || !worker) throw new Error('No connection to Redis');
  closers.add(() => [producer, worker].map((redis) => redis.disconnect()));
  const database = openDatabase({ url: databaseUrl, connections: 10, onError: () => undefined });
  closers.add(() => database.close());
  await migrate(database.pool);
  const resources = await idleResources(database, directory, { log: productionLog() });
  const prefix = `engine-${randomBytes(4).toString('hex')}`;
  const queues = openQueues(hops, {
    redis: producer,
    prefix,
    log: resources.log,
    bundleOf: (queue) => bundleSize(pipeline, queue),
    fair: true,
  });
  closers.add(() => queues.close());
  closers.add(() => Promise.all([...queues.byStage.values()].map((queue) => queue.drain())));
  const runner = createRunner(pipeline, resources, {
    worker: prefix,
    leaseMs: MINUTE,
    first: 'claim',
    giveUpMs: HOUR,
    maxAttempts: 3,
    largeFrom: { bytes: 2 ** 30, pages: 1000 },
    overrides: {},
    announce: queues.announce,
  });
  closers.add(() => runner.leases.stop());
  const settle: typeof runner.settle = async (settlement) => {
    const hints = await runner.settle(settlement);
    onHop();
    if (settlement.transition.state === 'done') onEnd(settlement.task.document?.id ?? '');
    return hints;
  };
  return {
    database,
    queues,
    seed: async (count) => queues.announce(await seedDocuments(database.pool, count, hops[0])),
    start() {
      const limits = { concurrency, rate: undefined };
      const workers = startWorkers(
        { ...runner, settle },
        { queues: hops, redis: worker, prefix, limitsOf: () => limits },
      );
      closers.add(() => workers.stop(10_000));
    },
    close: () => closers.close(),
  };
}

/** As in production: log lines of single tasks are below the log level. */
export function productionLog(): Log {
  return pino({ level: 'info' }, { write: () => undefined });
}
