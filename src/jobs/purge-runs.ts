import { moveCursor, readCursor } from '../db/job-cursors.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { MINUTE } from '../lib/time.ts';
import type { Resources } from '../resources.ts';

/** Rows looked at per pass and table. */
const page = 20_000;

/**
 * Keeps the tables of the engine small: deletes the tasks of ended runs, and runs that a later one
 * replaced, when they are past the retention period of history. Their artifacts become orphans,
 * which reconcile-storage removes. What has a dead letter or a delivery stays.
 */
export const purgeRuns: IntervalJob = {
  everyMs: 10 * MINUTE,
  async run({ database, keepHistoryMs: keepMs }) {
    return {
      tasks: await purgeNext(database, 'tasks', { keepMs, limit: page }),
      runs: await purgeNext(database, 'runs', { keepMs, limit: page }),
    };
  },
};

const unreferenced = (column: string) => `
  and not exists (select from deliveries d where d.${column} = r.id)
  and not exists (select from dead_letters l where l.${column} = r.id)`;

/** Which rows of a page are deleted, given the page as `p` and the table as `r`. */
const purges = {
  tasks: {
    table: 'tasks',
    expired: `r.state in ('done', 'cancelled') and r.ended_at < p.before ${unreferenced('task_id')}
  and not exists (select from ingestions i where i.id = r.ingestion_id
                     and (i.status = 'in-progress' or is_held(i.workspace_id, i.document_id)))`,
  },
  runs: {
    table: 'ingestions',
    expired: `r.completed_at < p.before ${unreferenced('ingestion_id')}
  and not exists (select from documents d where d.ingestion_id = r.id and d.id = r.document_id)
  and not exists (select from tasks t where t.ingestion_id = r.id)
  and not is_held(r.workspace_id, r.document_id)`,
  },
} as const;

export type Purge = keyof typeof purges;

/** In the order of ids, which is that of age: a page reads `limit` rows by the primary key. */
export const purgeStatement = (what: Purge) => `
with p as materialized (
  select id, created_at, now() - $2 * interval '1 millisecond' as before
    from ${purges[what].table} where id > $1 order by id limit $3),
gone as (
  delete from ${purges[what].table} r using p where r.id = p.id and ${purges[what].expired} returning r.id)
select (select count(*)::int from gone) as purged, count(*)::int as seen, bool_or(created_at > before) as young,
       (select id from p order by id desc limit 1) as last
  from p`;

interface Pass {
  purged: number;
  seen: number;
  young: boolean | null;
  last: string | null;
}

/** One page. The next pass continues there, or starts over behind the first row that is young. */
export async function purgeNext(
  { db, pool }: Resources['database'],
  what: Purge,
  { keepMs, limit }: { keepMs: number; limit: number },
): Promise<number> {
  const cursor = `purge ${what}`;
  const from = (await readCursor(db, cursor)) || '00000000-0000-0000-0000-000000000000';
  const { rows } = await pool.query<Pass>(purgeStatement(what), [from, keepMs, limit]);
  const [pass] = rows;
  if (!pass) return 0;
  const atEnd = pass.seen < limit || pass.young;
  await moveCursor(db, cursor, atEnd ? '' : (pass.last ?? ''));
  return pass.purged;
}
