import type pg from 'pg';
import { migrationState } from '../db/migrate.ts';
import { assertWritable } from '../db/writable.ts';
import { SetupError } from '../errors.ts';
import { SECOND } from '../lib/time.ts';
import type { Finding } from './check.ts';
import { isAtLeast } from './version.ts';

const minimum = '14';
const maxSkewMs = 5 * SECOND;

export async function examinePostgres(pool: pg.Pool): Promise<Finding> {
  const { rows } = await pool.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  const version = rows[0]?.version ?? '';
  if (!isAtLeast(version, minimum))
    throw new SetupError(`Postgres ${version} is too old.`, `Upgrade it to ${minimum} or newer.`);
  await assertWritable(pool);
  return { found: `version ${version}` };
}

export async function examineMigrations(pool: pg.Pool): Promise<Finding> {
  const { applied, known } = await migrationState(pool);
  const found = `${applied} of ${known} applied`;
  return applied === known
    ? { found }
    : { found, fix: 'Run `millrace migrate`. Every process also does this when it starts.' };
}

/** Assumes that Postgres read its clock halfway through the query. */
export async function examineClock(pool: pg.Pool, now = Date.now): Promise<Finding> {
  const askedAt = now();
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
  const skewMs = Math.round((askedAt + now()) / 2 - (rows[0]?.now.getTime() ?? 0));
  if (Math.abs(skewMs) > maxSkewMs) {
    throw new SetupError(
      `The clocks of Postgres and of this machine differ by ${Math.round(Math.abs(skewMs) / SECOND)} s.`,
      'Synchronise both machines with NTP.',
    );
  }
  return { found: `differs from Postgres by ${skewMs} ms` };
}
