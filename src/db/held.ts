import type pg from 'pg';
import type { Held } from '../domain/held.ts';

/** Number of documents held by a cost limit, by reason. */
export async function countHeld(
  pool: pg.Pool,
): Promise<{ reason: Held['reason']; count: number }[]> {
  const { rows } = await pool.query<{ reason: Held['reason']; count: number }>(
    `select held->>'reason' as reason, count(*)::int as count from tasks
      where state = 'ready' and held is not null and not_before > now() group by 1`,
  );
  return rows;
}
