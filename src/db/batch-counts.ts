import { sql } from 'drizzle-orm';
import type { BatchState } from '../domain/batch.ts';
import type { Db } from './index.ts';

export type BatchCount = { state: BatchState; batches: number; open: number; idleSeconds: number };

/** Batches that have not ended, by state: how many, their open documents, and how long nothing has happened in one. */
export const batchCountsStatement = sql`
  select state, count(*)::int as batches, sum(open)::int as open,
         extract(epoch from max(now() - progress_at))::float8 as "idleSeconds"
    from batches where ended_at is null group by state`;

export async function countBatches(db: Db): Promise<BatchCount[]> {
  return (await db.execute<BatchCount>(batchCountsStatement)).rows;
}
