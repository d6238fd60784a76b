import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { inTransaction } from '../db/in-transaction.ts';
import type { EventData } from '../domain/event.ts';
import { grouped } from '../lib/grouped.ts';
import { commitEffects, type FollowUp, hasEffects } from './effects.ts';
import type { Move } from './move.ts';
import type { Announcement, Task } from './task.ts';

export interface Settlement {
  task: Task;
  move: Move;
  /** How long the stage ran. */
  ms: number;
}

/** The hints to give after the commit, or undefined: the lease was lost and nothing was written. */
export type Settle = (settlement: Settlement) => Promise<Announcement[] | undefined>;

/**
 * The fence: only the holder of the current epoch with a valid lease moves a task. Between the lapse of a lease and its
 * sweep the epoch is still the old one, so the lease is checked as well.
 * A task that stays ready without delay is marked as announced here, which saves a write: if its hint is then lost on
 * the way to Redis, the reconciler finds it.
 */
const statement = `
with moved as (
  update tasks t
     set state = m.state, stage = m.stage, epoch = t.epoch + 1, attempts = m.attempts, postponed = m.postponed,
         not_before = now() + m.delay_ms * interval '1 millisecond',
         give_up_at = case when m.stage <> t.stage then now() + $9 * interval '1 millisecond' else t.give_up_at end,
         announced_at = case when m.state = 'ready' and m.delay_ms = 0 then now() end,
         lease_owner = null, lease_until = null, deadline = null, last_error = m.error,
         ended_at = case when m.state <> 'ready' then now() end
    from unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::int[], $6::int[], $7::float8[], $8::jsonb[], $10::jsonb[])
      as m(id, epoch, state, stage, attempts, postponed, delay_ms, error, fact)
   where t.id = m.id and t.epoch = m.epoch and t.state = 'running' and t.lease_until > now()
  returning t.id, t.ingestion_id, m.fact),
facts as (
  insert into events (type, ingestion_id, data) select 'TASK_FINISHED', ingestion_id, fact from moved)
select id from moved`;

interface SettleOptions {
  worker: string;
  giveUpMs: number;
  followUp: FollowUp;
}

export function makeSettle(pool: pg.Pool, { worker, giveUpMs, followUp }: SettleOptions): Settle {
  const values = (all: Settlement[]) => [
    all.map(({ task }) => task.id),
    all.map(({ task }) => task.epoch),
    all.map(({ move }) => move.state),
    all.map(({ move }) => move.stage),
    all.map(({ move }) => move.attempts),
    all.map(({ move }) => move.postponed),
    all.map(({ move }) => move.delayMs),
    all.map(({ move }) => move.error && JSON.stringify(move.error)),
    giveUpMs,
    all.map((settlement) => JSON.stringify(factOf(settlement, worker))),
  ];
  const move = async (client: pg.Pool | pg.PoolClient, all: Settlement[]): Promise<Set<string>> => {
    const { rows } = await client.query<{ id: string }>({ name: 'settle', text: statement, values: values(all) });
    return new Set(rows.map(({ id }) => id));
  };

  const settleAll = async (all: Settlement[]): Promise<(Announcement[] | undefined)[]> => {
    if (!all.some(({ task, move: to }) => hasEffects(task, to))) {
      const moved = await move(pool, all);
      return all.map(({ task, move: to }) => (moved.has(task.id) ? ownHint(task, to) : undefined));
    }
    return inTransaction(pool, async (client) => {
      const moved = await move(client, all);
      const tx = drizzle({ client });
      const announcements: (Announcement[] | undefined)[] = [];
      for (const { task, move: to } of all) {
        if (!moved.has(task.id)) {
          announcements.push(undefined);
          continue;
        }
        const followUps = hasEffects(task, to) ? await commitEffects(tx, task, to, { worker, followUp }) : [];
        announcements.push([...ownHint(task, to), ...followUps]);
      }
      return announcements;
    });
  };
  return grouped(settleAll, { most: 100, inFlight: 2 });
}

function ownHint(task: Task, { state, stage, delayMs }: Move): Announcement[] {
  return state === 'ready' && delayMs === 0 ? [{ taskId: task.id, epoch: task.epoch + 1, stage }] : [];
}

function factOf({ task, move, ms }: Settlement, worker: string): EventData<'TASK_FINISHED'> {
  const { outcome, error, state, delayMs } = move;
  return {
    taskId: task.id,
    stage: task.stage,
    epoch: task.epoch,
    outcome,
    state,
    worker,
    ms: Math.round(ms),
    ...(error && { error }),
    ...(delayMs && { delayMs }),
  };
}
