import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { appendEvent } from '../db/events.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { bury } from './effects.ts';
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

const lost = { code: 'WORKER_LOST', message: 'The process that worked on it gave no sign of life' } as const;

const statement = `
with lapsed as materialized (
  select id, lease_owner from tasks
   where state = 'running' and lease_until <= now()
   order by lease_until limit $1 for update skip locked)
update tasks t
   set state = case when t.attempts + 1 >= $2 then 'dead' else 'ready' end,
       epoch = t.epoch + 1, attempts = t.attempts + 1, losses = t.losses + 1, announced_at = null,
       not_before = now() + least($3 * power(2, t.attempts), $4) * interval '1 millisecond',
       lease_owner = null, lease_until = null, deadline = null, last_error = $5,
       ended_at = case when t.attempts + 1 >= $2 then now() end
  from lapsed where t.id = lapsed.id
returning t.id, t.ingestion_id, t.stage, t.state, t.epoch, t.attempts, lapsed.lease_owner as worker`;

/**
 * Tasks whose worker died or went silent go back to waiting, and the loss counts as an attempt: a document that kills
 * its worker must not be tried for ever. This is the only way back for them; BullMQ's own recovery is a mere hint.
 */
export function sweepLapsedLeases(pool: pg.Pool, policy: RetryPolicy, limit: number) {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Lapsed>(statement, [
      limit,
      policy.maxAttempts,
      policy.baseMs,
      policy.capMs,
      JSON.stringify(lost),
    ]);
    const tx = drizzle({ client });
    for (const { id: taskId, ingestion_id: ingestionId, stage, state, epoch, attempts, worker } of rows) {
      const data = { taskId, stage, epoch: epoch - 1, outcome: 'lost', state, worker, error: lost };
      await appendEvent(tx, 'TASK_FINISHED', ingestionId, data);
      if (state === 'dead')
        await bury(tx, { taskId, ingestionId, stage, attempts, worker }, { ...lost, category: 'lost' });
    }
    return {
      recovered: rows.filter(({ state }) => state === 'ready').length,
      died: rows.filter(({ state }) => state === 'dead').length,
    };
  });
}
