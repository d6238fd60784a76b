import type pg from 'pg';
import { HOUR } from '../lib/time.ts';
import { inTransaction } from './index.ts';

/** Refreshes a materialized view without blocking readers. Returns its number of rows. */
export function refreshView(
  pool: pg.Pool,
  view: 'stage_statistics' | 'quality_distribution',
): Promise<number> {
  return inTransaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0');
    const refresh = {
      text: 'select refresh_statistics($1)',
      values: [view],
      query_timeout: HOUR,
    };
    await client.query(refresh);
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from ${view}`,
    );
    return rows[0]?.count ?? 0;
  });
}
