import type pg from 'pg';
import { today } from '../../db/accounts.ts';
import { underWay } from './statements.ts';

export interface ReleaseScope {
  /** Default: all workspaces. */
  workspaceId?: string;
  /** Default for workspaces without a budget of their own. */
  dailyBudgetMicros: number | undefined;
}

/**
 * Releases as many held documents as the remaining budget covers, oldest first: within each batch,
 * then within each workspace. This reserves nothing; each document asks again before it spends.
 */
const statement = `
with held as materialized (
  select t.id, t.created_at, i.workspace_id, i.batch_id, (t.held->>'needs')::bigint as needs
    from tasks t join ingestions i on i.id = t.ingestion_id
   where t.state = 'ready' and t.held is not null and t.not_before > now() and ($1::uuid is null or i.workspace_id = $1)
     for no key update of t skip locked),
under_way as (${underWay}),
batch_room as (
  select b.id, b.max_cost_micros - coalesce(a.spent_micros, 0)
           - (select coalesce(sum(micros), 0) from under_way where batch_id = b.id) as room
    from batches b left join accounts a on a.owner = b.id and a.period = 'all'
   where b.id in (select batch_id from held)),
workspace_room as (
  select w.id, coalesce(w.daily_budget_micros, $2::bigint) - coalesce(a.spent_micros, 0)
           - (select coalesce(sum(micros), 0) from under_way where workspace_id = w.id) as room
    from workspaces w left join accounts a on a.owner = w.id and a.period = ${today}
   where w.id in (select workspace_id from held)),
within_batch as (
  select h.*, r.room, sum(needs) over (partition by h.batch_id order by created_at, h.id) as sum
    from held h left join batch_room r on r.id = h.batch_id),
within_both as (
  select h.id, r.room, sum(needs) over (partition by h.workspace_id order by created_at, h.id) as sum
    from within_batch h join workspace_room r on r.id = h.workspace_id
   where h.room is null or h.sum <= h.room)
update tasks t
   set held = null, give_up_at = t.give_up_at - (t.not_before - now()), not_before = now()
  from within_both h
 where t.id = h.id and (h.room is null or h.sum <= h.room)`;

/** Releases held documents that the budget now covers. The relay announces them. */
export async function releaseHeld(
  pool: pg.Pool,
  { workspaceId, dailyBudgetMicros }: ReleaseScope,
): Promise<number> {
  const { rowCount } = await pool.query(statement, [workspaceId, dailyBudgetMicros]);
  return rowCount ?? 0;
}

/** Deletes reservations of workers that are gone. */
export async function dropStaleReservations(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from reservations where task_id not in (select task_id from (${underWay}) as u)`,
  );
  return rowCount ?? 0;
}
