import { sql } from 'drizzle-orm';
import type { BatchState } from '../domain/batch.ts';
import type { Db } from './index.ts';

export type BatchCount = { state: BatchState; batches: number; open: number; idleSeconds: number };

/**
 * Unfinished batches by state: their number, their open documents, and the longest time without
 * progress.
 */
export const batchCountsStatement = sql`
  select state, count(*)::int as batches, sum(open)::int as open,
         extract(epoch from max(now() - progress_at))::float8 as "idleSeconds"
    from batches where ended_at is null group by state`;

export async function countBatches(db: Db): Promise<BatchCount[]> {
  return (await db.execute<BatchCount>(batchCountsStatement)).rows;
}
