import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { openDatabase } from '../../src/db/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openQueues } from '../../src/engine/queues/queues.ts';
import { Closers } from '../../src/lib/closers.ts';
import { type Bench, onFreshDatabase } from './bench.ts';
import { summarize } from './figure.ts';
import { interleave } from './interleave.ts';
import type { Part } from './part.ts';
import { startMillrace, stop } from './process.ts';
import { seedDocuments } from './seed-documents.ts';

/** From the start of a worker process until it takes its first task. */
export const start: Part = {
  async run(bench) {
    const { worker } = await interleave(bench, {
      worker: () =>
        onFreshDatabase(bench, (databaseUrl) => secondsToFirstTask({ ...bench, databaseUrl })),
    });
    return [
      {
        what: 'start of a worker to its first task',
        unit: 's',
        ours: summarize(worker),
        target: { atMost: 1.5 },
      },
    ];
  },
};

async function secondsToFirstTask({ databaseUrl, redisUrl, directory }: Bench): Promise<number> {
  const closers = new Closers();
  try {
    const database = openDatabase({ url: databaseUrl, connections: 2, onError: () => undefined });
    closers.add(() => database.close());
    await migrate(database.pool);
    const redis = new Redis(redisUrl);
    closers.add(() => redis.disconnect());
    const prefix = `start-${randomBytes(4).toString('hex')}`;
    const queues = openQueues(['claim'], { redis, prefix, log: pino({ level: 'silent' }) });
    closers.add(() => queues.close());
    await queues.announce(await seedDocuments(database.pool, 1, 'claim'));
    const startedAt = performance.now();
    const child = startMillrace(['worker'], {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      MILLRACE_DATA: directory,
      MILLRACE_REDIS_PREFIX: prefix,
    });
    closers.add(() => stop(child));
    for (;;) {
      const { rowCount } = await database.pool.query('select from tasks where epoch > 0');
      if (rowCount) return (performance.now() - startedAt) / 1000;
      if (child.exitCode !== null) throw new Error(`The worker ended with ${child.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } finally {
    await closers.close();
  }
}
