import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { createTestDatabase } from './database.ts';

async function run(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query(sql).finally(() => client.end())).rows;
}

it('gives each caller a database of its own, with one migration for all', async () => {
  let migrations = 0;
  const migrate = async (url: string) => {
    migrations++;
    await run(url, 'create table grain (weight int)');
  };
  const databases = await Promise.all([createTestDatabase(migrate), createTestDatabase(migrate)]);
  const [first, second] = databases.map(({ url }) => url);
  expect(migrations).toBe(1);
  expect(await run(first ?? '', 'insert into grain values (3) returning weight')).toEqual([
    { weight: 3 },
  ]);
  expect(await run(second ?? '', 'select weight from grain')).toEqual([]);
  await Promise.all(databases.map(({ drop }) => drop()));
  const left = await run(
    inject('databaseUrl'),
    `select datname from pg_database where datname like 'millrace_test_%'`,
  );
  expect(left).not.toContainEqual({ datname: new URL(first ?? '').pathname.slice(1) });
});
