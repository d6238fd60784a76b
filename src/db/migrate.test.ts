import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/kit/database.ts';
import { migrate, migrationState } from './migrate.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase(async () => undefined);
  pool = new pg.Pool({ connectionString: database.url, max: 4 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('several processes migrate an empty database once', async () => {
  const results = await Promise.all([migrate(pool), migrate(pool), migrate(pool)]);
  const { known } = await migrationState(pool);
  expect(results.map(({ applied }) => applied).sort()).toEqual([0, 0, known]);
});

test('a database that is ahead of the code is refused', async () => {
  await pool.query(
    "insert into drizzle.__drizzle_migrations (hash, created_at) values ('future', 99999999999999)",
  );
  await expect(migrate(pool)).rejects.toThrow(/newer version/);
});

test('events land in the partition of their day', async () => {
  await pool.query(
    "insert into events (at, type, data) values (now() + interval '1 day', 'TEST', '{}')",
  );
  const { rows } = await pool.query(
    "select tableoid::regclass::text as partition from events where type = 'TEST'",
  );
  expect(rows[0]?.partition).toMatch(/^events_\d{8}$/);
});
