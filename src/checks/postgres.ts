import type pg from 'pg';
import { migrationState } from '../db/migrate.ts';
import { SetupError } from '../errors.ts';
import { SECOND } from '../lib/time.ts';
import type { Finding } from './check.ts';
import { isAtLeast } from './version.ts';

const least = '14';
const mostSkewMs = 5 * SECOND;

export async function examinePostgres(pool: pg.Pool): Promise<Finding> {
  const { rows } = await pool.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  const version = rows[0]?.version ?? '';
  if (!isAtLeast(version, least))
    throw new SetupError(`Postgres is version ${version}.`, `Upgrade it to ${least} or newer.`);
  return { found: `version ${version}` };
}

export async function examineMigrations(pool: pg.Pool): Promise<Finding> {
  const { applied, known } = await migrationState(pool);
  const found = `${applied} of ${known} applied`;
  return applied === known
    ? { found }
    : { found, fix: 'Run `millrace migrate`; every process does so when it starts.' };
}

/** Half of the time that asking takes is the answer's way. */
export async function examineClock(pool: pg.Pool, now = Date.now): Promise<Finding> {
  const askedAt = now();
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
  const skewMs = Math.round((askedAt + now()) / 2 - (rows[0]?.now.getTime() ?? 0));
  if (Math.abs(skewMs) > mostSkewMs) {
    throw new SetupError(
      `The clock of Postgres is ${Math.round(Math.abs(skewMs) / SECOND)} s away from ours.`,
      'Let both machines keep time by NTP.',
    );
  }
  return { found: `${skewMs} ms from Postgres` };
}
