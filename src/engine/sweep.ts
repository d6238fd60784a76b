import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { appendEvent } from '../db/events.ts';
import { inTransaction } from '../db/in-transaction.ts';
import type { Admission } from './admission.ts';
import { afterEndings } from './batch/after-endings.ts';
import { bury, countAttempts } from './effects.ts';
import type { RetryPolicy } from './move.ts';

interface Lapsed {
  id: string;
  ingestion_id: string;
  stage: string;
  state: 'ready' | 'dead';
  epoch: number;
  attempts: number;
  worker: string | null;
}

export interface SweepOptions {
  policy: RetryPolicy;
  leaseMs: number;
  /** What becomes of the documents that wait for those that die. */
  admission: Admission;
  limit: number;
}

const lost = { code: 'WORKER_LOST', message: 'The process that worked on it gave no sign of life' } as const;

/**
 * Who is to blame? A process that had this task alone leaves no doubt: the loss counts as an attempt. In a shared
 * process it may have been any of its tasks: none is charged, all become suspects and run alone from now on. If Postgres
 * itself was away, no lease could be renewed and nobody is to blame; that excuse holds for the first losses only, since
 * an embedded Postgres goes down with its process.
 */
const statement = `
with lapsed as materialized (
  select id, lease_owner, alone, 
         losses < 3 and lease_until < pg_postmaster_start_time() + $6 * interval '1 millisecond' as outage
    from tasks
   where state = 'running' and lease_until <= now()
   order by lease_until limit $1 for update skip locked),
judged as (
  select id, lease_owner, (alone and not outage)::int as charge, not outage as suspect from lapsed)
update tasks t
   set state = case when t.attempts + charge >= $2 then 'dead' else 'ready' end,
       epoch = t.epoch + 1, attempts = t.attempts + charge, losses = t.losses + 1, announced_at = null,
       suspect = t.suspect or judged.suspect, alone = false,
       not_before = now() + charge * least($3 * power(2, t.attempts), $4) * interval '1 millisecond',
       lease_owner = null, lease_until = null, deadline = null, last_error = $5,
       ended_at = case when t.attempts + charge >= $2 then now() end
  from judged where t.id = judged.id
returning t.id, t.ingestion_id, t.stage, t.state, t.epoch, t.attempts, judged.lease_owner as worker`;

/**
 * Tasks whose worker died or went silent go back to waiting. This is the only way back for them; BullMQ's own recovery
 * is a mere hint.
 */
export function sweepLapsedLeases(pool: pg.Pool, { policy, leaseMs, admission, limit }: SweepOptions) {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Lapsed>(statement, [
      limit,
      policy.maxAttempts,
      policy.baseMs,
      policy.capMs,
      JSON.stringify(lost),
      leaseMs,
    ]);
    const tx = drizzle({ client });
    for (const { id: taskId, ingestion_id: ingestionId, stage, state, epoch, attempts, worker } of rows) {
      const data = { taskId, stage, epoch: epoch - 1, outcome: 'lost', state, worker, error: lost };
      await appendEvent(tx, 'TASK_FINISHED', ingestionId, data);
      if (state === 'dead') {
        await bury(tx, { taskId, ingestionId, stage, attempts, worker }, { ...lost, category: 'lost' });
      } else {
        await countAttempts(tx, ingestionId, attempts);
      }
    }
    const dead = rows.filter(({ state }) => state === 'dead');
    return {
      hints: await afterEndings(
        tx,
        dead.map(({ ingestion_id }) => ingestion_id),
        admission,
      ),
      recovered: rows.filter(({ state }) => state === 'ready').length,
      died: dead.length,
    };
  });
}
