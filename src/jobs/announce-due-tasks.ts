import type pg from 'pg';
import type { Queues } from '../engine/queues/queues.ts';
import { knownStages, toAnnouncement, type UnannouncedTask } from '../engine/queues/unannounced.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { SECOND } from '../lib/time.ts';

const batch = 1000;

export const announceDueTasks: IntervalJob = {
  everyMs: 1 * SECOND,
  async run({ database, queues }) {
    let announced = 0;
    for (let count = batch; count === batch; announced += count)
      count = await announceDue(database.pool, queues, batch);
    return { announced };
  },
};

/**
 * Announces due tasks: retries, postponed tasks, and tasks that were marked unannounced after Redis
 * lost its data.
 */
export async function announceDue(pool: pg.Pool, queues: Queues, limit: number): Promise<number> {
  const { rows } = await pool.query<UnannouncedTask>({
    name: 'announce-due',
    text: `
      with due as materialized (
        select id from tasks
         where state = 'ready' and announced_at is null and not_before <= now() and stage = any($2)
         order by not_before limit $1 for update skip locked)
      update tasks t set announced_at = now() from due where t.id = due.id
      returning t.id, t.epoch, t.stage, t.lane, t.suspect,
                coalesce(t.workspace_id, (select i.workspace_id from ingestions i where i.id = t.ingestion_id)) as "workspaceId"`,
    values: [limit, knownStages(queues)],
  });
  if (rows.length > 0) await queues.announce(rows.map(toAnnouncement));
  return rows.length;
}
