import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Closers } from '../../src/lib/closers.ts';
import { MINUTE } from '../../src/lib/time.ts';
import { openStorage } from '../../src/storage/index.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { hasPgBouncer, startPgBouncer } from '../kit/pgbouncer.ts';
import { startRedisCluster } from '../kit/redis-cluster.ts';
import { startRedisSentinel } from '../kit/redis-sentinel.ts';
import { hasRedis } from '../kit/redis-server.ts';
import { s3Environment, s3SettingsOf, startS3Server } from '../kit/s3-server.ts';

/** `local`: the usual servers, but documents are read and understood without vendors. */
export type Servers = 'plain' | 'cluster' | 'sentinel' | 'pgbouncer' | 's3' | 'local';

/** Servers that the fleet uses in place of the plain ones, and how to break them. */
export interface Distributed {
  env: Record<string, string>;
  /** Files in a directory without it. */
  storage?: Storage;
  strike(): Promise<void>;
}

/** The faults, by the servers they need. Each can be injected once per rig. */
export const distributedFaults = {
  'Redis Cluster: a master killed, its replica promoted': 'cluster',
  'Sentinel: the master killed, its replica promoted': 'sentinel',
  'PgBouncer restarted': 'pgbouncer',
  'S3 away for 60 s': 's3',
} as const satisfies Record<string, Servers>;

/** Whether the programs are installed. */
export const isAvailable: Record<Servers, boolean> = {
  plain: true,
  cluster: hasRedis,
  sentinel: hasRedis,
  pgbouncer: hasPgBouncer,
  s3: true,
  local: true,
};

const nothingToBreak = () => Promise.reject(new Error('Nothing to break'));

const starters: Record<
  Servers,
  (directory: string, databaseUrl: string, closers: Closers) => Promise<Distributed>
> = {
  plain: async () => ({ env: {}, strike: nothingToBreak }),
  local: async () => ({
    env: { MILLRACE_OCR: 'local', MILLRACE_LLM: 'local' },
    strike: nothingToBreak,
  }),
  async cluster(directory, _, closers) {
    const { url, failOver } = await startRedisCluster({ directory, replicas: true }, closers);
    return { env: { REDIS_URL: url }, strike: () => failOver(0) };
  },
  async sentinel(directory, _, closers) {
    const { url, failOver } = await startRedisSentinel(directory, closers);
    return { env: { REDIS_URL: url }, strike: failOver };
  },
  async pgbouncer(directory, databaseUrl, closers) {
    const bouncer = await startPgBouncer({ directory, databaseUrl, mode: 'transaction' });
    closers.add(() => bouncer.stop());
    const env = { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: databaseUrl };
    return { env, strike: bouncer.restart };
  },
  async s3(_directory, _url, closers) {
    const server = await startS3Server();
    closers.add(() => server.stop());
    const storage = await openStorage({ kind: 's3', ...s3SettingsOf(server) });
    closers.add(() => storage.close());
    const strike = async () => {
      await server.stop();
      await sleep(1 * MINUTE);
      await server.start();
    };
    return { env: s3Environment(server), storage, strike };
  },
};

export async function startDistributed(servers: Servers, databaseUrl: string, closers: Closers) {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-servers-'));
  closers.add(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const { strike, ...rest } = await starters[servers](directory, databaseUrl, closers);
  let strikes = 0;
  return {
    ...rest,
    async strike() {
      await strike();
      strikes += 1;
    },
    strikes: () => strikes,
  };
}
