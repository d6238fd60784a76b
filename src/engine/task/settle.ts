import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { inTransaction } from '../../db/index.ts';
import type { EventData } from '../../domain/event.ts';
import { batchCalls } from '../../lib/batch-calls.ts';
import type { Admission } from '../admission/admission.ts';
import { afterEndings } from '../admission/batch/after-endings.ts';
import { commitEffects, completeIngestions, type FollowUp } from './effects.ts';
import { type FailSubject, subjectFacts } from './subject.ts';
import type { Announcement, Task } from './task.ts';
import { hasEffects, hasOwnEffects, type Transition } from './transition.ts';

export interface Settlement {
  task: Task;
  transition: Transition;
  ms: number;
}

/** The hints to announce after the commit; undefined if the lease was lost: nothing was written. */
export type Settle = (settlement: Settlement) => Promise<Announcement[] | undefined>;

/**
 * The fence: only the holder of the current epoch with a valid lease can move a task. The epoch
 * alone is not enough. Until an expired lease is swept the epoch is still the old one, so the lease
 * time is checked too. A crash of Postgres can undo a take, and the same epoch is then issued
 * again, so the owner is checked too.
 * The CASE keeps the planner on the primary key; otherwise it scans the index of all running tasks
 * for every group.
 * A task that stays ready without delay is marked as announced here, which saves a write. If its
 * hint is lost on the way to Redis, the reconciler finds it.
 */
const statement = `
with moved as (
  update tasks t
     set state = m.state, stage = m.stage, epoch = t.epoch + 1, attempts = m.attempts, postponed = m.postponed,
         lane = m.lane, failures = m.failures,
         not_before = now() + m.delay_ms * interval '1 millisecond',
         give_up_at = case when m.stage <> t.stage then now() + $9 * interval '1 millisecond'
                           when m.held is not null then t.give_up_at + m.delay_ms * interval '1 millisecond'
                           else t.give_up_at end,
         announced_at = case when m.state = 'ready' and m.delay_ms = 0 then now() end,
         lease_owner = null, lease_until = null, deadline = null, last_error = m.error, held = m.held,
         alone = false, suspect = t.suspect and m.stage = t.stage,
         ended_at = case when m.state <> 'ready' then now() end
    from unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::int[], $6::int[], $7::float8[], $8::jsonb[], $10::jsonb[],
                $12::jsonb[], $13::text[], $14::int[])
      as m(id, epoch, state, stage, attempts, postponed, delay_ms, error, fact, held, lane, failures)
   where t.id = m.id and t.epoch = m.epoch
     and case t.state when 'running' then t.lease_until > now() and t.lease_owner = $11 else false end
  returning t.id, t.ingestion_id, t.suspect, m.fact),
facts as (
  insert into events (type, ingestion_id, data) select 'TASK_FINISHED', ingestion_id, fact from moved)
select id, suspect from moved`;

interface SettleOptions {
  worker: string;
  admission: Admission;
  followUp: FollowUp;
  failSubject: FailSubject;
}

export function makeSettle(pool: pg.Pool, options: SettleOptions): Settle {
  const { worker, admission } = options;
  const { giveUpMs } = admission;
  const values = (all: Settlement[]) => [
    all.map(({ task }) => task.id),
    all.map(({ task }) => task.epoch),
    all.map(({ transition }) => transition.state),
    all.map(({ transition }) => transition.stage),
    all.map(({ transition }) => transition.attempts),
    all.map(({ transition }) => transition.postponed),
    all.map(({ transition }) => transition.delayMs),
    all.map(({ transition }) => transition.error && JSON.stringify(transition.error)),
    giveUpMs,
    all.map((settlement) => JSON.stringify(factOf(settlement, worker))),
    worker,
    all.map(({ transition }) => transition.held && JSON.stringify(transition.held)),
    all.map(({ transition }) => transition.lane),
    all.map(({ transition }) => transition.failures),
  ];
  /** The ids of the moved tasks, with whether each is still a suspect. */
  const move = async (
    client: pg.Pool | pg.PoolClient,
    all: Settlement[],
  ): Promise<Map<string, boolean>> => {
    const query = { name: 'settle', text: statement, values: values(all) };
    const { rows } = await client.query<{ id: string; suspect: boolean }>(query);
    return new Map(rows.map(({ id, suspect }) => [id, suspect]));
  };

  const settleAll = async (all: Settlement[]): Promise<(Announcement[] | undefined)[]> => {
    if (!all.some(({ task, transition }) => hasEffects(task, transition))) {
      const moved = await move(pool, all);
      return all.map((settlement) => ownHint(settlement, moved));
    }
    return inTransaction(pool, async (client) => {
      const moved = await move(client, all);
      const tx = drizzle({ client });
      const own = all.filter(({ task }) => moved.has(task.id));
      await completeIngestions(
        tx,
        own.filter(({ transition }) => transition.completes).flatMap(ingestionsOf),
      );
      const followUps = new Map<string, Announcement[]>();
      for (const { task, transition } of own)
        if (hasOwnEffects(task, transition))
          followUps.set(task.id, await commitEffects(tx, task, transition, options));
      const affected = own
        .filter(({ task, transition }) => hasEffects(task, transition))
        .flatMap(ingestionsOf);
      // Announced with the first moved task; which one does not matter.
      const admitted = await afterEndings(tx, affected, admission);
      return all.map((settlement) => {
        const hints = ownHint(settlement, moved);
        return (
          hints && [...hints, ...(followUps.get(settlement.task.id) ?? []), ...admitted.splice(0)]
        );
      });
    });
  };
  return batchCalls(settleAll, { most: 100, inFlight: 2 });
}

/** A list, to be flattened: other subjects have none. */
function ingestionsOf({ task }: Settlement): string[] {
  return task.document ? [task.document.ingestion.id] : [];
}

function ownHint(
  { task, transition: { state, stage, lane, delayMs } }: Settlement,
  moved: Map<string, boolean>,
): Announcement[] | undefined {
  const { workspaceId } = task.subject;
  const suspect = moved.get(task.id);
  if (suspect === undefined) return undefined;
  return state === 'ready' && delayMs === 0
    ? [{ taskId: task.id, epoch: task.epoch + 1, stage, lane, suspect, workspaceId }]
    : [];
}

function factOf({ task, transition, ms }: Settlement, worker: string): EventData<'TASK_FINISHED'> {
  const { outcome, error, state, delayMs } = transition;
  return {
    taskId: task.id,
    stage: task.stage,
    ...subjectFacts(task.subject),
    ...(task.lane === 'large' && { lane: task.lane }),
    epoch: task.epoch,
    outcome,
    state,
    worker,
    ms: Math.round(ms),
    ...(error && { error }),
    ...(delayMs && { delayMs }),
  };
}
