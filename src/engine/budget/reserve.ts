import type pg from 'pg';
import { today } from '../../db/accounts.ts';
import { inTransaction } from '../../db/index.ts';
import type { Held } from '../../domain/held.ts';
import { BudgetError } from './budget-error.ts';
import { msToMidnight, underWay } from './statements.ts';

export interface Spender {
  task: { id: string; epoch: number };
  ingestionId: string;
  workspaceId: string;
  batchId: string | null;
}

/** The workspace's account first: all transactions lock the two rows in this order. */
const addToAccounts = (condition: string) => `
insert into accounts (owner, period, spent_micros)
select owner, period, micros
  from (values ($1::uuid, ${today}, $3::bigint), ($2::uuid, 'all', $3::bigint)) as a(owner, period, micros)
 where owner is not null and ${condition}
on conflict (owner, period) do update set spent_micros = accounts.spent_micros + excluded.spent_micros`;

const reserveStatement = `
with under_way as (${underWay} where r.workspace_id = $3 and r.task_id <> $1),
ceilings as (
  select 'daily-budget' as reason, coalesce(w.daily_budget_micros, $6::bigint) as "limit", a.spent_micros as spent,
         (select coalesce(sum(micros), 0) from under_way) as reserved
    from workspaces w join accounts a on a.owner = w.id and a.period = ${today}
   where w.id = $3
  union all
  select 'batch-budget', b.max_cost_micros, a.spent_micros,
         (select coalesce(sum(micros), 0) from under_way where batch_id = b.id)
    from batches b join accounts a on a.owner = b.id and a.period = 'all'
   where b.id = $4),
exceeded as (select * from ceilings where spent + reserved + $5::bigint > "limit" order by reason limit 1),
reserved as (
  insert into reservations (task_id, epoch, workspace_id, batch_id, micros)
  select $1, $2, $3, $4, $5 where not exists (select from exceeded)
  on conflict (task_id) do update set epoch = excluded.epoch, micros = excluded.micros)
select reason, "limit"::float8, spent::float8, reserved::float8, ${msToMidnight} as "waitMs" from exceeded`;

type Exceeded = Omit<Held, 'needs'> & { waitMs: number };

/**
 * Reserves money for a call, or throws if a ceiling would be exceeded. The sums are read by a
 * separate statement after the accounts are locked: a statement that had waited for the lock would
 * still use its old snapshot.
 */
export async function reserve(
  pool: pg.Pool,
  { task, workspaceId, batchId }: Spender,
  needs: number,
  dailyBudgetMicros: number | undefined,
): Promise<void> {
  const exceeded = await inTransaction(pool, async (client) => {
    await client.query(addToAccounts('true'), [workspaceId, batchId, 0]);
    const values = [task.id, task.epoch, workspaceId, batchId, needs, dailyBudgetMicros];
    return (await client.query<Exceeded>(reserveStatement, values)).rows[0];
  });
  if (!exceeded) return;
  const { waitMs, ...held } = exceeded;
  throw new BudgetError({ ...held, needs }, waitMs);
}

export interface Booking {
  id: string;
  micros: number;
}

const bookStatement = `
with booked as (
  update ingestions set cost_micros = cost_micros + $3, last_booking = $7
   where id = $6 and last_booking is distinct from $7
  returning id),
spent as (${addToAccounts('exists (select from booked)')})
delete from reservations where task_id = $4 and epoch = $5`;

/**
 * Books the actual cost of a call and deletes its reservation, even if another worker owns the task
 * by now. Idempotent: the booking id makes a retry after an unknown result a no-op.
 */
export async function book(
  pool: pg.Pool,
  { task, ingestionId, workspaceId, batchId }: Spender,
  { id, micros }: Booking,
): Promise<void> {
  await pool.query(bookStatement, [
    workspaceId,
    batchId,
    micros,
    task.id,
    task.epoch,
    ingestionId,
    id,
  ]);
}
