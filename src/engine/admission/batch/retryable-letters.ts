import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/index.ts';

export interface LetterQuery {
  limit: number;
  /** Excludes tasks that died again in the current redrive pass; the next pass takes them. */
  ofPass?: boolean;
  /** Cursor: the last ingestion of the previous page. */
  after?: string | undefined;
}

export type RetryableLetter = { id: string; ingestionId: string };

/** Open dead letters of a batch that another run may resolve. Rejected documents are excluded. */
export async function retryableLetters(
  db: Db,
  batchId: string,
  query: LetterQuery,
): Promise<RetryableLetter[]> {
  const { rows } = await db.execute<RetryableLetter>(lettersStatement(batchId, query));
  return rows;
}

const beforeAll = '00000000-0000-0000-0000-000000000000';

export function lettersStatement(
  batchId: string,
  { limit, ofPass = false, after = beforeAll }: LetterQuery,
) {
  // OFFSET 0 keeps the planner from joining with the whole table of dead letters.
  return sql`
    select l.id, i.id as "ingestionId"
      from ingestions i
      cross join lateral (
        select id, first_seen from dead_letters
         where ingestion_id = i.id and state = 'open' and category in ('exhausted', 'gave-up', 'lost') offset 0) l
     where i.batch_id = ${batchId} and i.status = 'failed' and i.id > ${after}
       and (not ${ofPass}::boolean or l.first_seen <= (select redrive_at from batches where id = ${batchId}))
     order by i.id limit ${limit}`;
}
