import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { openTestEngine } from '../../test/kit/engine.ts';
import { hasPgBouncer, type PgBouncerOptions, startPgBouncer } from '../../test/kit/pgbouncer.ts';
import { inTransaction } from '../db/index.ts';
import { migrate } from '../db/migrate.ts';
import { findPooling } from '../db/pooling.ts';
import { openJobLocks } from '../engine/schedule/job-locks.ts';
import { pipeline } from '../workers/pipeline.ts';
import { openPostgres } from './postgres.ts';

let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  engine = await openTestEngine(pipeline);
});
afterAll(() => engine.close());

async function pooler(mode: PgBouncerOptions['mode'], size?: number): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-pgbouncer-'));
  const bouncer = await startPgBouncer({
    directory,
    databaseUrl: engine.url,
    mode,
    ...(size && { size }),
  });
  onTestFinished(async () => {
    await bouncer.stop();
    await rm(directory, { recursive: true, force: true });
  });
  return bouncer.url;
}

async function open(databaseUrl: string, directUrl?: string) {
  const settings = { connections: 4, onError: () => undefined };
  const database = await openPostgres({ databaseUrl, directUrl }, settings);
  onTestFinished(database.close);
  return database;
}

const timeout = "select current_setting('statement_timeout') as value";

test('Postgres itself is no pooler', async () => {
  expect(await findPooling(engine.url)).toBe('none');
  const { pool } = await open(engine.url);
  expect((await pool.query(timeout)).rows).toEqual([{ value: '30s' }]);
});

describe.skipIf(!hasPgBouncer)('PgBouncer', () => {
  test('in session mode is like Postgres', async () => {
    const url = await pooler('session', 40);
    expect(await findPooling(url)).toBe('session');
    const { pool, locks } = await open(url);
    expect((await pool.query(timeout)).rows).toEqual([{ value: '30s' }]);
    expect(await migrate(locks)).toMatchObject({ applied: 0 });
  });

  test('in transaction mode is found, also when it is busy or has one connection', async () => {
    expect(await findPooling(await pooler('transaction', 1))).toBe('transaction');
    const url = await pooler('transaction', 5);
    const busy = new pg.Pool({ connectionString: url, max: 8 });
    onTestFinished(() => busy.end());
    let isOver = false;
    const load = Array.from({ length: 8 }, async () => {
      while (!isOver) await busy.query('select pg_sleep(0.002)');
    });
    for (let i = 0; i < 20; i++) expect(await findPooling(url)).toBe('transaction');
    isOver = true;
    await Promise.all(load);
  });

  test('in transaction mode needs a direct connection, to the same database', async () => {
    const url = await pooler('transaction');
    await expect(open(url)).rejects.toMatchObject({
      message: expect.stringContaining('changes the connection between transactions'),
      hint: expect.stringContaining('DATABASE_DIRECT_URL'),
    });
    await expect(open(url, url)).rejects.toThrow('leads to a transaction pooler too');
    await expect(open(url, inject('databaseUrl'))).rejects.toThrow('different databases');
    await open(url, engine.url);
  });

  test('in transaction mode gets no state of a session', async () => {
    const { pool, db, locks } = await open(await pooler('transaction', 3), engine.url);
    const named = { name: 'named', text: 'select $1::int as value', values: [1] };
    const many = Array.from({ length: 40 }, () => pool.query(named));
    for (const { rows } of await Promise.all(many)) expect(rows).toEqual([{ value: 1 }]);
    expect((await pool.query(timeout)).rows).toEqual([{ value: '0' }]);
    const inside = (await inTransaction(pool, (client) => client.query(timeout))).rows;
    expect(inside).toEqual([{ value: '30s' }]);
    const drizzled = await db.transaction((tx) => tx.execute(sql.raw(timeout)));
    expect(drizzled.rows).toEqual([{ value: '30s' }]);
    const jobs = openJobLocks(locks, 20_000);
    const seen = await jobs.hold('job', () =>
      openJobLocks(locks, 20_000).hold('job', async () => 1),
    );
    expect(seen).toBeUndefined();
    expect(await openJobLocks(locks, 20_000).hold('job', async () => 1)).toBe(1);
    expect(await migrate(locks)).toMatchObject({ applied: 0 });
  });
});
