import type pg from 'pg';
import type { Lane } from '../../domain/lane.ts';
import type { Announcement } from '../task/task.ts';
import type { Queues } from './queues.ts';

type Row = { id: string; epoch: number; stage: string; lane: Lane; suspect: boolean };
const announcement = ({ id, ...place }: Row): Announcement => ({ taskId: id, ...place });

/** While versions change, a task may be of a stage that only a newer process knows: it is left to that one. */
const stagesOf = ({ byStage }: Queues): string[] => [...byStage.keys()];

/** Announces tasks that became due: retries, postponed ones, and whatever a lost Redis made unannounced. */
export async function announceDue(pool: pg.Pool, queues: Queues, limit: number): Promise<number> {
  const { rows } = await pool.query<Row>({
    name: 'announce-due',
    text: `
      with due as materialized (
        select id from tasks
         where state = 'ready' and announced_at is null and not_before <= now() and stage = any($2)
         order by not_before limit $1 for update skip locked)
      update tasks t set announced_at = now() from due where t.id = due.id
      returning t.id, t.epoch, t.stage, t.lane, t.suspect`,
    values: [limit, stagesOf(queues)],
  });
  if (rows.length > 0) await queues.announce(rows.map(announcement));
  return rows.length;
}

/**
 * The net under the fast path: tasks announced long ago and still not taken are looked up in Redis; those it does not
 * know are announced again. The hint's id is the same, so one that is there after all is not doubled.
 */
export async function reconcile(
  pool: pg.Pool,
  queues: Queues,
  { olderThanMs, limit }: { olderThanMs: number; limit: number },
) {
  const { rows } = await pool.query<Row>({
    name: 'reconcile',
    text: `
      with old as materialized (
        select id from tasks
         where state = 'ready' and announced_at < now() - $1 * interval '1 millisecond' and stage = any($3)
         order by announced_at limit $2 for update skip locked)
      update tasks t set announced_at = now() from old where t.id = old.id
      returning t.id, t.epoch, t.stage, t.lane, t.suspect`,
    values: [olderThanMs, limit, stagesOf(queues)],
  });
  const hints = rows.map(announcement);
  if (hints.length === 0) return { checked: 0, restored: 0 };
  const known = await queues.known(hints);
  const missing = hints.filter((_, i) => !known[i]);
  await queues.announce(missing);
  return { checked: hints.length, restored: missing.length };
}

/** Redis lost its memory: every waiting task is to be announced anew. */
export async function forgetAnnouncements(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(
    "update tasks set announced_at = null where state = 'ready' and announced_at is not null",
  );
  return rowCount ?? 0;
}
