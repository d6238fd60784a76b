import type pg from 'pg';
import { z } from 'zod';

const results = z.object({
  /** Documents that are an entry of the mailbox. */
  messages: z.number(),
  /** Messages by subject: each message has its own. */
  subjects: z.number(),
  attachments: z.number(),
  completed: z.number(),
  failed: z.number(),
  /** What the ledgers of all containers saw and do not account for. */
  unbalanced: z.number(),
});
export type Results = z.infer<typeof results>;

/** Counts from rows, independent of the API and its counters. */
export async function countResults(pool: pg.Pool): Promise<Results> {
  const { rows } = await pool.query(`
    with mailbox as (select id from documents where parent_id is null),
         messages as (select * from documents where parent_id in (select id from mailbox))
    select (select count(*)::int from messages) as messages,
           (select count(distinct metadata->>'subject')::int from messages) as subjects,
           (select count(*)::int from documents
             where parent_id in (select id from messages)) as attachments,
           (select count(*)::int from ingestions where status = 'completed') as completed,
           (select count(*)::int from ingestions where status <> 'completed') as failed,
           (select coalesce(sum((contents->>'seen')::int - (contents->>'documents')::int), 0)::int
              from documents where contents is not null) as unbalanced`);
  return results.parse(rows[0]);
}

/** How many documents were admitted plus how many have ended, without the mailbox itself. */
export async function countSteps(pool: pg.Pool): Promise<{ done: number; open: number }> {
  const { rows } = await pool.query<{ admitted: number; open: number }>(`
    select (select coalesce(sum(entries), 0)::int from families) as admitted,
           (select count(*)::int from ingestions where status = 'in-progress') as open`);
  const { admitted = 0, open = 0 } = rows[0] ?? {};
  const inside = Math.max(0, open - 1);
  return { done: admitted + Math.max(0, admitted - inside), open };
}
