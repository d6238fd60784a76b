import type pg from 'pg';
import type { Queues } from '../engine/queues/queues.ts';
import { knownStages, toAnnouncement, type UnannouncedTask } from '../engine/queues/unannounced.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { SECOND } from '../lib/time.ts';

/** Restores hints that were lost in Redis or on the way to it. */
export const reconcileQueues: IntervalJob = {
  everyMs: 10 * SECOND,
  async run({ database, queues, metrics }) {
    const { restored } = await reconcile(database.pool, queues, {
      olderThanMs: 20 * SECOND,
      limit: 5000,
    });
    metrics.hintsRestored(restored);
    return { restored };
  },
};

/**
 * Safety net for the fast path. Tasks that were announced a while ago and not taken are looked up
 * in Redis, and announced again if it does not know them. Idempotent: the id of the hint is the
 * same, so an existing job is not duplicated.
 */
export async function reconcile(
  pool: pg.Pool,
  queues: Queues,
  { olderThanMs, limit }: { olderThanMs: number; limit: number },
) {
  const { rows } = await pool.query<UnannouncedTask>({
    name: 'reconcile',
    text: `
      with old as materialized (
        select id from tasks
         where state = 'ready' and announced_at < now() - $1 * interval '1 millisecond' and stage = any($3)
         order by announced_at limit $2 for update skip locked)
      update tasks t set announced_at = now() from old where t.id = old.id
      returning t.id, t.epoch, t.stage, t.lane, t.suspect,
                coalesce(t.workspace_id, (select i.workspace_id from ingestions i where i.id = t.ingestion_id)) as "workspaceId"`,
    values: [olderThanMs, limit, knownStages(queues)],
  });
  const hints = rows.map(toAnnouncement);
  if (hints.length === 0) return { checked: 0, restored: 0 };
  const known = await queues.known(hints);
  const missing = hints.filter((_, i) => !known[i]);
  await queues.announce(missing);
  return { checked: hints.length, restored: missing.length };
}
