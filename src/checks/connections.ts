import type { Config } from '../config/index.ts';
import { countConnections } from '../db/connections.ts';
import type { Database } from '../db/index.ts';
import type { Finding } from './check.ts';

/** The smallest installation with one process per role. */
const roles = ['api', 'worker', 'scheduler'] as const;

/** Adds up what the processes may open and compares it with what Postgres allows. */
export async function examineConnections(
  { locks, pooling }: Pick<Database, 'locks' | 'pooling'>,
  config: Pick<Config, 'DATABASE_POOL'>,
): Promise<Finding> {
  const { rows } = await locks.query<{ most: number; used: number }>(`
    select current_setting('max_connections')::int
           - current_setting('superuser_reserved_connections')::int as most,
           (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`);
  const { most, used } = rows[0] ?? { most: 0, used: 0 };
  const each = roles.map((role) => {
    const { pooled, sessions } = countConnections([role], config.DATABASE_POOL);
    // A pooler shares its own connections between all processes.
    return { role, count: pooling === 'transaction' ? sessions : pooled + sessions };
  });
  const sum = each.reduce((total, { count }) => total + count, 0);
  const list = each.map(({ role, count }) => `${count} per ${role}`).join(', ');
  const direct = pooling === 'transaction' ? ' beside those of the pooler' : '';
  const found = `up to ${list} process${direct}; Postgres allows ${most}, ${used} are in use`;
  if (sum <= most && used < most * 0.8) return { found };
  return {
    found,
    fix: `Lower DATABASE_POOL (now ${config.DATABASE_POOL}), raise max_connections, or use a pooler; see "Connections to Postgres" in docs/operating.md.`,
  };
}
