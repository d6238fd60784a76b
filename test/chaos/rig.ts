import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type pg from 'pg';
import { pino } from 'pino';
import { insertDestination } from '../../src/db/destinations.ts';
import { openDatabase } from '../../src/db/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import { ensureWorkspace } from '../../src/db/workspaces.ts';
import { queueNames } from '../../src/engine/pipeline/pipeline.ts';
import { openQueues } from '../../src/engine/queues/queues.ts';
import { Closers } from '../../src/lib/closers.ts';
import { MINUTE } from '../../src/lib/time.ts';
import type { RedisEngine } from '../../src/servers/embedded/redis.ts';
import { openRedis } from '../../src/servers/redis/index.ts';
import { openFiles } from '../../src/storage/files/index.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { mountDisk } from './disk.ts';
import { type Servers, startDistributed } from './distributed.ts';
import { clocks, startFleet } from './fleet.ts';
import { startServices } from './services.ts';
import { killAt, stages, stepsOf } from './steps.ts';
import { until } from './until.ts';
import { startVendors } from './vendors.ts';

export type Rig = Awaited<ReturnType<typeof openRig>>;

const prefix = 'chaos';
const secretKey = 'a secret key of sufficient length for tests';

export interface RigOptions {
  redisEngine: RedisEngine;
  workers: number;
  maxAttempts: number;
  /** What the fleet runs on. Default: one Postgres and one Redis. */
  servers?: Servers;
}

/**
 * Services behind proxies, simulated vendors, a fleet of real processes, and separate connections
 * for observing that no fault affects.
 */
export async function openRig({
  redisEngine,
  workers,
  maxAttempts,
  servers = 'plain',
}: RigOptions) {
  const closers = new Closers();
  const directory = await mkdtemp(join(tmpdir(), 'millrace-chaos-'));
  closers.add(() => rm(directory, { recursive: true, force: true }));
  const kills = join(directory, 'kills');
  await mkdir(kills);
  const disk = await mountDisk(join(directory, 'files'), closers);
  const { postgres, redis } = await startServices(directory, redisEngine, closers);
  const vendors = await startVendors(closers);
  const distributed = await startDistributed(servers, postgres.proxy.url, closers);
  const { REDIS_URL: redisUrl } = distributed.env;
  const view = await openView(postgres.view.url, redis.view.url, redisUrl, closers);
  await insertDestination(view.database.db, {
    workspaceId: view.workspaceId,
    name: 'manager',
    kind: 'http',
    settings: { url: vendors.managerUrl },
    secret: null,
    enabled: true,
    maxConcurrent: null,
    holdMs: 0,
    // What the simulated vendors answer is in doubt.
    deliverDoubtful: true,
  });
  const fleet = startFleet({
    PATH: process.env.PATH,
    DATABASE_URL: postgres.proxy.url,
    REDIS_URL: redis.proxy.url,
    MILLRACE_DATA: directory,
    MILLRACE_REDIS_PREFIX: prefix,
    MILLRACE_SECRET_KEY: secretKey,
    MILLRACE_LEASE: '3s',
    MILLRACE_MAX_ATTEMPTS: String(maxAttempts),
    // Simulated models may never answer. Local engines keep the usual time limit.
    ...(servers !== 'local' && { MILLRACE_EXTRACT_TIMEOUT: '8s' }),
    ...vendors.env,
    ...distributed.env,
    TEST_FAILPOINTS: failpoints(kills),
    LOG_LEVEL: 'fatal',
  });
  closers.add(() => fleet.stop());
  for (let i = 0; i < workers; i++) fleet.start(['worker'], clocks[i % clocks.length]);
  for (let i = 0; i < 2; i++) fleet.start(['scheduler']);
  await until(() => haveStarted(view.database.pool, workers), MINUTE);
  let documents = 0;
  return {
    ...view,
    postgres,
    redis,
    distributed,
    disk,
    vendors,
    fleet,
    storage: distributed.storage ?? (await openFiles(join(directory, 'files'))),
    /** A number that no document has used yet. */
    nextNumber: () => ++documents,
    /** The steps at which a process was killed so far. */
    stepsHit: () => readdir(kills),
    close: () => closers.close(),
  };
}

/** `queuesUrl`: where the queues are, if not in the plain Redis. */
async function openView(
  databaseUrl: string,
  redisUrl: string,
  queuesUrl: string | undefined,
  closers: Closers,
) {
  const database = openDatabase({ url: databaseUrl, connections: 4, onError: () => undefined });
  closers.add(() => database.close());
  await migrate(database.pool);
  const client = new Redis(redisUrl, { maxRetriesPerRequest: 1, enableOfflineQueue: false });
  client.on('error', () => undefined);
  closers.add(() => client.disconnect());
  const log = pino({ level: 'silent' });
  const redis = queuesUrl
    ? (await openRedis({ url: queuesUrl, prefix }, log, closers)).producer
    : client;
  const queues = openQueues(queueNames(pipeline), { redis, prefix, log });
  closers.add(() => queues.close());
  return { database, client, queues, workspaceId: await ensureWorkspace(database.db, 'default') };
}

async function haveStarted(pool: pg.Pool, workers: number): Promise<boolean> {
  const { rows } = await pool.query("select from events where type = 'WORKER_STARTED'");
  return rows.length >= workers;
}

/**
 * A document's name selects its failpoints: `poison` kills every worker that takes it, `storm` kills
 * at any step with a small probability.
 */
function failpoints(kills: string): string {
  const steps = stages.flatMap((stage) => stepsOf(stage)).map((step) => killAt(step, kills));
  return [...steps, 'transcribe.taken/poison*=kill', '*.*/storm*=kill=0.004'].join(',');
}
