import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../src/embedded/postgres.ts';
import { parseIdentity } from '../../src/embedded/process-identity.ts';
import { type RedisEngine, startRedis } from '../../src/embedded/redis.ts';
import type { Closers } from '../../src/lib/closers.ts';
import { startProxy } from './proxy.ts';

type Server = Awaited<ReturnType<typeof startRedis>>;

/** Postgres and Redis, each behind two proxies: one that faults act upon, and one for our own view, which none touches. */
export async function startServices(directory: string, redisEngine: RedisEngine, closers: Closers) {
  const postgres = await restartable(() => startPostgres({ directory, durable: true, log: () => undefined }), closers);
  const redis = await restartable(() => startRedis({ directory, engine: redisEngine }), closers);
  return {
    postgres: {
      ...postgres,
      /** As if the machine had lost its power: what was not on disk is gone, the next start recovers. */
      async crash() {
        process.kill(await postmasterOf(postgres.view.url), 'SIGQUIT');
        await postgres.ended();
        await postgres.start();
      },
    },
    redis: {
      ...redis,
      async crash({ forgetful }: { forgetful: boolean }) {
        process.kill(await recordedPid(join(directory, 'redis.pid.json')), 'SIGKILL');
        await redis.ended();
        if (forgetful)
          for (const home of ['redis', 'valkey']) await rm(join(directory, home), { recursive: true, force: true });
        await redis.start();
      },
    },
  };
}

async function restartable(launch: () => Promise<Server>, closers: Closers) {
  let server = await launch();
  closers.add(() => server.stop());
  const proxy = await startProxy(server.url);
  const view = await startProxy(server.url);
  closers.add(() => Promise.all([proxy.close(), view.close()]));
  const start = async () => {
    server = await launch();
    for (const each of [proxy, view]) each.retarget(server.url);
  };
  return { proxy, view, start, stop: () => server.stop(), ended: () => server.ended };
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
  if (!identity) throw new Error(`${file} names no process`);
  return identity.pid;
}
