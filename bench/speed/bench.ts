import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Closers } from '../../src/lib/closers.ts';
import { openDataDirectory, startEmbedded } from '../../src/servers/embedded/index.ts';

/** The environment of a part: services, a directory, and the amount of work. */
export interface Bench {
  databaseUrl: string;
  redisUrl: string;
  directory: string;
  rounds: number;
  /** The full size for measuring, or a small one for smoke runs. */
  size(full: number, few?: number): number;
  note(text: string): void;
}

export interface OwnBench extends Bench {
  services: string[];
  close(): Promise<void>;
}

/** Starts Postgres and Redis, durable as in production, in a temporary directory. */
export async function openBench({
  rounds,
  note,
  smoke,
}: Pick<Bench, 'rounds' | 'note'> & { smoke: boolean }): Promise<OwnBench> {
  const closers = new Closers();
  try {
    const home = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
    closers.add(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
    const directory = await openDataDirectory(home);
    closers.add(() => directory.close());
    const embedded = await startEmbedded({
      directory,
      services: { postgres: true, redis: true },
      durable: true,
    });
    closers.add(() => embedded.stop());
    const { databaseUrl = '', redisUrl = '' } = embedded.admin;
    return {
      databaseUrl,
      redisUrl,
      directory: home,
      rounds,
      size: smoke ? smokeSize : (full) => full,
      note,
      services: embedded.describe().map((line) => line.replace(/ at .*/, '')),
      close: () => closers.close(),
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/** Just enough to run every code path. */
export const smokeSize = (full: number, few = 20): number => Math.min(full, few);

/** Runs work on an empty database. A checkpoint first flushes what earlier runs left to write. */
export async function onFreshDatabase<T>(
  { databaseUrl }: Bench,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  await asAdministrator(databaseUrl, [`create database ${name}`, 'checkpoint']);
  try {
    return await work(url.href);
  } finally {
    await asAdministrator(databaseUrl, [`drop database ${name} with (force)`]);
  }
}

async function asAdministrator(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
