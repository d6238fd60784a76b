import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { z } from 'zod';
import { SetupError } from '../errors.ts';
import { grantRows } from './grant.ts';
import { assertWritable } from './writable.ts';

const folder = fileURLToPath(new URL('../../drizzle', import.meta.url));
const journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) });

export interface MigrationState {
  applied: number;
  known: number;
}

/**
 * Migrates the database to this version, one process at a time. Refuses a database of a newer
 * version. The lock needs a session, so the pool must not lead to a transaction pooler. With an
 * owner, that user migrates, and the user of the pool gets access to rows only.
 */
export async function migrate(pool: pg.Pool, ownerUrl?: string): Promise<MigrationState> {
  const user = ownerUrl === undefined ? undefined : await currentUser(pool);
  // A separate session without the usual timeouts, also those that the user may have by default.
  const client = new pg.Client({
    ...pool.options,
    ...(ownerUrl && { connectionString: ownerUrl }),
    statement_timeout: 0,
    lock_timeout: 0,
    query_timeout: 0,
  });
  await client.connect();
  try {
    await assertWritable(client);
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    // Drizzle takes no lock. A second process waits here and then finds nothing left to do.
    await client.query("select pg_advisory_lock(hashtext('millrace:migrate'))");
    const before = await migrationState(client);
    // A process without the owner's password may start if there is nothing to migrate.
    if (before.applied < before.known)
      await applyMigrations(drizzle({ client }), { migrationsFolder: folder });
    if (user) await grantRows(client, user);
    return { applied: before.known - before.applied, known: before.known };
  } finally {
    // Ending the session releases the lock.
    await client.end();
  }
}

async function currentUser(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string }>('select current_user as name');
  return rows[0]?.name;
}

/** How many of the known migrations are applied. Throws when the database has unknown ones. */
export async function migrationState(client: pg.Pool | pg.ClientBase): Promise<MigrationState> {
  const { entries } = journal.parse(
    JSON.parse(readFileSync(`${folder}/meta/_journal.json`, 'utf8')),
  );
  const newest = Math.max(...entries.map(({ when }) => when));
  const table = await client.query<{ found: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as found",
  );
  if (!table.rows[0]?.found) return { applied: 0, known: entries.length };
  const rows = await client.query<{ created_at: string }>(
    'select created_at from drizzle.__drizzle_migrations',
  );
  const applied = rows.rows.map(({ created_at }) => Number(created_at));
  if (applied.some((when) => when > newest)) {
    throw new SetupError(
      'The database was migrated by a newer version of Millrace.',
      'Install that version, or restore a backup made before the upgrade.',
    );
  }
  return { applied: applied.length, known: entries.length };
}
