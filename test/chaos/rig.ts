import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { openDatabase } from '../../src/db/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import { ensureWorkspace } from '../../src/db/workspaces.ts';
import { startPostgres } from '../../src/embedded/postgres.ts';
import { type RedisEngine, startRedis } from '../../src/embedded/redis.ts';
import { openQueues } from '../../src/engine/queues.ts';
import { Closers } from '../../src/lib/closers.ts';
import { keys } from '../../src/lib/keys.ts';
import { openFiles } from '../../src/storage/files.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { startFleet } from './fleet.ts';
import { startProxy } from './proxy.ts';

export type Rig = Awaited<ReturnType<typeof openRig>>;

const prefix = 'chaos';

/** Services behind proxies, a fleet of real processes, and a view of our own that no fault touches. */
export async function openRig({ redisEngine, failpoints }: { redisEngine: RedisEngine; failpoints: string }) {
  const closers = new Closers();
  const directory = await mkdtemp(join(tmpdir(), 'millrace-chaos-'));
  closers.add(() => rm(directory, { recursive: true, force: true }));
  const postgresAt = () => startPostgres({ directory, durable: true, log: () => undefined });
  const redisAt = () => startRedis({ directory, engine: redisEngine });
  let postgres = await postgresAt();
  closers.add(() => postgres.stop());
  let redis = await redisAt();
  closers.add(() => redis.stop());
  const proxies = { postgres: await startProxy(postgres.url), redis: await startProxy(redis.url) };
  closers.add(() => Promise.all([proxies.postgres.close(), proxies.redis.close()]));

  const database = openDatabase({ url: proxies.postgres.url, connections: 4, onError: () => undefined });
  closers.add(() => database.close());
  await migrate(database.pool);
  const client = new Redis(proxies.redis.url, { maxRetriesPerRequest: 1, enableOfflineQueue: false });
  client.on('error', () => undefined);
  closers.add(() => client.disconnect());
  const queues = openQueues(keys(pipeline), { redis: client, prefix, log: pino({ level: 'silent' }) });
  closers.add(() => queues.close());

  const fleet = startFleet({
    PATH: process.env.PATH,
    DATABASE_URL: proxies.postgres.url,
    REDIS_URL: proxies.redis.url,
    MILLRACE_DATA: directory,
    MILLRACE_REDIS_PREFIX: prefix,
    MILLRACE_LEASE: '3s',
    MILLRACE_TEST: '1',
    MILLRACE_TEST_FAILPOINTS: failpoints,
    LOG_LEVEL: 'fatal',
  });
  closers.add(() => fleet.stop());
  return {
    proxies,
    fleet,
    redis: client,
    queues,
    resources: { database, storage: await openFiles(join(directory, 'files')) },
    workspaceId: await ensureWorkspace(database.db, 'default'),
    async restartPostgres() {
      await postgres.stop();
      postgres = await postgresAt();
      proxies.postgres.retarget(postgres.url);
    },
    async restartRedis() {
      await redis.stop();
      redis = await redisAt();
      proxies.redis.retarget(redis.url);
    },
    close: () => closers.close(),
  };
}
