import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../test/kit/database.ts';
import { temporaryDirectory } from '../../test/kit/temporary-directory.ts';
import { newId } from '../lib/ids.ts';
import { migrate } from './migrate.ts';

const drizzleFolder = fileURLToPath(new URL('../../drizzle', import.meta.url));

/** A database as an earlier release left it, before this migration. */
async function databaseBefore(tag: string): Promise<pg.Pool> {
  const database = await createTestDatabase(async () => undefined);
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  const folder = await temporaryDirectory();
  cpSync(drizzleFolder, folder, { recursive: true });
  const journal = JSON.parse(readFileSync(`${folder}/meta/_journal.json`, 'utf8'));
  const end = journal.entries.findIndex((entry: { tag: string }) => entry.tag === tag);
  expect(end).toBeGreaterThan(0);
  writeFileSync(
    `${folder}/meta/_journal.json`,
    JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }),
  );
  await applyMigrations(drizzle({ client: pool }), { migrationsFolder: folder });
  return pool;
}

test('deliveries get the workspace of their destination, documents the status of their latest run', async () => {
  const pool = await databaseBefore('0007_lists');
  const [workspace, document, ran, runs, destination, delivery] = Array.from({ length: 6 }, newId);
  await pool.query("insert into workspaces (id, name) values ($1, 'old')", [workspace]);
  await pool.query(
    `insert into documents (id, workspace_id, name, bytes, md5, sha1, sha256, storage_key, ingestion_id)
     values ($1, $2, 'old', 1, '', '', '', 'none', $3), ($4, $2, 'newer', 1, '', '', '', 'none', $4)`,
    [document, workspace, ran, runs],
  );
  await pool.query(
    `insert into ingestions (id, document_id, workspace_id, status, completed_at)
     values ($1, $2, $3, 'failed', now()), ($4, $4, $3, 'in-progress', null)`,
    [ran, document, workspace, runs],
  );
  await pool.query(
    "insert into destinations (id, workspace_id, name, kind, settings) values ($1, $2, 'old', 'http', '{}')",
    [destination, workspace],
  );
  await pool.query(
    `insert into deliveries (id, document_id, ingestion_id, destination_id, state) values ($1, $2, $3, $4, 'received')`,
    [delivery, document, ran, destination],
  );
  await migrate(pool);
  const deliveries = await pool.query('select workspace_id from deliveries');
  expect(deliveries.rows).toEqual([{ workspace_id: workspace }]);
  const documents = await pool.query('select name, status from documents order by name');
  expect(documents.rows).toEqual([
    { name: 'newer', status: 'in-progress' },
    { name: 'old', status: 'failed' },
  ]);
});
