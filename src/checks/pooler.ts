import type { Database } from '../db/index.ts';
import type { Finding } from './check.ts';

/** A pooler runs single statements without our limits, so the user should have them. */
export async function examinePooler({
  pool,
  pooling,
}: Pick<Database, 'pool' | 'pooling'>): Promise<Finding> {
  if (pooling === 'none') return { found: 'none, connected to Postgres itself' };
  if (pooling === 'session') return { found: 'shares connections between sessions' };
  const { rows } = await pool.query<{ timeout: string; user: string }>(
    `select current_setting('statement_timeout') as timeout, quote_ident(current_user) as user`,
  );
  const { timeout = '0', user = '' } = rows[0] ?? {};
  const found = 'shares connections between transactions; locks and migrations go past it';
  if (timeout !== '0') return { found };
  return {
    found: `${found}; statement_timeout is off`,
    fix: `Run: ALTER ROLE ${user} SET statement_timeout = '30s', so that Postgres ends statements whose caller is gone.`,
  };
}
