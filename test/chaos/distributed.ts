import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Closers } from '../../src/lib/closers.ts';
import { hasPgBouncer, startPgBouncer } from '../kit/pgbouncer.ts';
import { startRedisCluster } from '../kit/redis-cluster.ts';
import { startRedisSentinel } from '../kit/redis-sentinel.ts';
import { hasRedis } from '../kit/redis-server.ts';

export type Servers = 'plain' | 'cluster' | 'sentinel' | 'pgbouncer';

/** Servers that the fleet uses in place of the plain ones, and how to break them. */
export interface Distributed {
  env: { DATABASE_URL?: string; DATABASE_DIRECT_URL?: string; REDIS_URL?: string };
  strike(): Promise<void>;
}

/** The faults, by the servers they need. Each can be injected once per rig. */
export const distributedFaults = {
  'Redis Cluster: a master killed, its replica promoted': 'cluster',
  'Sentinel: the master killed, its replica promoted': 'sentinel',
  'PgBouncer restarted': 'pgbouncer',
} as const satisfies Record<string, Servers>;

/** Whether the programs are installed. */
export const isAvailable: Record<Servers, boolean> = {
  plain: true,
  cluster: hasRedis,
  sentinel: hasRedis,
  pgbouncer: hasPgBouncer,
};

const starters: Record<
  Servers,
  (directory: string, databaseUrl: string, closers: Closers) => Promise<Distributed>
> = {
  plain: async () => ({ env: {}, strike: () => Promise.reject(new Error('Nothing to break')) }),
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
};

export async function startDistributed(servers: Servers, databaseUrl: string, closers: Closers) {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-servers-'));
  closers.add(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const { env, strike } = await starters[servers](directory, databaseUrl, closers);
  let strikes = 0;
  return {
    env,
    async strike() {
      await strike();
      strikes += 1;
    },
    strikes: () => strikes,
  };
}
