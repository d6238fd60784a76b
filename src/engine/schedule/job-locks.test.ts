import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openTestEngine } from '../../../test/kit/engine.ts';
import { type Database, openDatabase } from '../../db/index.ts';
import { pipeline } from '../../workers/pipeline.ts';
import { openJobLocks } from './job-locks.ts';

let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  engine = await openTestEngine(pipeline);
});
afterAll(() => engine.close());

function open(): Database {
  const database = openDatabase({ url: engine.url, connections: 2, onError: () => undefined });
  onTestFinished(database.close);
  return database;
}

/** A pass that runs until it is told to end. */
function pending() {
  let [begin, end] = [(): void => undefined, (): void => undefined];
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = new Promise<string>((resolve) => {
    end = () => resolve('ran');
  });
  const run = () => {
    begin();
    return ended;
  };
  return { run, begun, end };
}

/** The sessions that hold advisory locks of this database. */
async function holders({ pool }: Database): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.map(({ pid }) => pid);
}

test('any number of jobs hold their locks over one connection', async () => {
  const database = open();
  const locks = openJobLocks(database.locks, 20_000);
  const passes = Array.from({ length: 12 }, pending);
  const running = passes.map(({ run }, i) => locks.hold(`job-${i}`, run));
  await expect.poll(async () => (await holders(database)).length).toBe(12);
  expect(new Set(await holders(database)).size).toBe(1);
  expect(database.locks.totalCount).toBe(1);
  for (const { end } of passes) end();
  expect(await Promise.all(running)).toEqual(passes.map(() => 'ran'));
  expect(await holders(database)).toEqual([]);
});

test('a job runs once at a time, in this process and in others', async () => {
  const [mine, theirs] = [open(), open()].map(({ locks }) => openJobLocks(locks, 20_000));
  const pass = pending();
  const running = mine?.hold('job', pass.run);
  await pass.begun;
  expect(await theirs?.hold('job', async () => 'ran')).toBeUndefined();
  expect(await mine?.hold('job', async () => 'ran')).toBeUndefined();
  expect(await mine?.hold('other', async () => 'ran')).toBe('ran');
  pass.end();
  expect(await running).toBe('ran');
  expect(await theirs?.hold('job', async () => 'ran')).toBe('ran');
});

test('a pass that fails keeps the session of the others, and a lost session is replaced', async () => {
  const database = open();
  const locks = openJobLocks(database.locks, 20_000);
  const pass = pending();
  const running = locks.hold('long', pass.run);
  await expect.poll(async () => (await holders(database)).length).toBe(1);
  const [pid] = await holders(database);
  await expect(locks.hold('short', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await holders(database)).toEqual([pid]);
  await database.pool.query('select pg_terminate_backend($1)', [pid]);
  await locks.hold('short', async () => 'ran').catch(() => undefined);
  expect(await locks.hold('short', async () => 'ran')).toBe('ran');
  pass.end();
  await expect(running).rejects.toThrow();
});
