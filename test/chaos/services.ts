import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Closers } from '../../src/lib/closers.ts';
import { MINUTE } from '../../src/lib/time.ts';
import { startPostgres } from '../../src/servers/embedded/postgres.ts';
import { parseIdentity } from '../../src/servers/embedded/process-identity.ts';
import { type RedisEngine, startRedis } from '../../src/servers/embedded/redis.ts';
import { startProxy } from './proxy.ts';
import { until } from './until.ts';

type Server = Awaited<ReturnType<typeof startRedis>>;

/**
 * Postgres and Redis, each behind two proxies: one that faults act on, and one for observing that no
 * fault affects.
 */
export async function startServices(directory: string, redisEngine: RedisEngine, closers: Closers) {
  const postgres = await restartable(
    () => startPostgres({ directory, durable: true, log: () => undefined }),
    closers,
  );
  let home = directory;
  let promotions = 0;
  const redis = await restartable(
    () => startRedis({ directory: home, engine: redisEngine }),
    closers,
  );
  const killRedis = async () => {
    process.kill(await recordedPid(join(home, 'redis.pid.json')), 'SIGKILL');
    await redis.ended();
  };
  return {
    postgres: {
      ...postgres,
      /** An immediate shutdown: what was not on disk is lost, and the next start runs recovery. */
      async crash() {
        process.kill(await postmasterOf(postgres.view.url), 'SIGQUIT');
        await postgres.ended();
        await postgres.start();
      },
    },
    redis: {
      ...redis,
      async crash({ forgetful }: { forgetful: boolean }) {
        await killRedis();
        if (forgetful)
          for (const folder of ['redis', 'valkey'])
            await rm(join(home, folder), { recursive: true, force: true });
        await redis.start();
      },
      /** Kills Redis and promotes a replica that lacks the writes of the last `lagMs`. */
      async failOver({ lagMs }: { lagMs: number }) {
        const next = join(directory, `replica-${promotions + 1}`);
        await mkdir(next);
        await cp(join(directory, 'secrets'), join(next, 'secrets'), { recursive: true });
        const replica = await startRedis({ directory: next, engine: redisEngine });
        await copyRedis(redis.view.url, replica.adminUrl);
        await sleep(lagMs);
        await killRedis();
        home = next;
        redis.adopt(replica);
        promotions += 1;
      },
      promotions: () => promotions,
    },
  };
}

async function restartable(launch: () => Promise<Server>, closers: Closers) {
  let server = await launch();
  closers.add(() => server.stop());
  const proxy = await startProxy(server.adminUrl);
  const view = await startProxy(server.adminUrl);
  closers.add(() => Promise.all([proxy.close(), view.close()]));
  const adopt = (next: Server) => {
    server = next;
    for (const each of [proxy, view]) each.retarget(server.adminUrl);
  };
  const start = async () => adopt(await launch());
  return { proxy, view, start, adopt, stop: () => server.stop(), ended: () => server.ended };
}

async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  await client.end();
  const file = await readFile(join(rows[0]?.data_directory ?? '', 'postmaster.pid'), 'utf8');
  return Number(file.split('\n')[0]);
}

async function recordedPid(file: string): Promise<number> {
  const identity = parseIdentity(await readFile(file, 'utf8'));
  if (!identity) throw new Error(`${file} contains no process id`);
  return identity.pid;
}

/** Makes a server a replica of another until it is in sync, then detaches it. */
async function copyRedis(from: string, to: string): Promise<void> {
  const { hostname, port } = new URL(from);
  const replica = new Redis(to);
  try {
    await replica.replicaof(hostname, port);
    await until(
      async () => (await replica.info('replication')).includes('master_link_status:up'),
      MINUTE,
    );
    await replica.call('REPLICAOF', 'NO', 'ONE');
  } finally {
    replica.disconnect();
  }
}
