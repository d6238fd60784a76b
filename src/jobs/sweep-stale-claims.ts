import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { appendEvent } from '../db/events.ts';
import { inTransaction } from '../db/in-transaction.ts';
import type { Db } from '../db/index.ts';
import type { Admission } from '../engine/admission/admission.ts';
import { afterEndings } from '../engine/admission/batch/after-endings.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { countAttempts, deadLetter } from '../engine/task/effects.ts';
import type { LanePosition } from '../engine/task/lane-choice.ts';
import { type RetryPolicy, retryAfterLoss } from '../engine/task/retry.ts';
import { SECOND } from '../lib/time.ts';

/** Tasks whose worker is gone. */
export const sweepStaleClaims: IntervalJob = {
  everyMs: 5 * SECOND,
  async run({ database, queues, policy, leaseMs, admission, metrics }) {
    const options = { policy, leaseMs, admission, limit: 500 };
    const { hints, recovered, died } = await sweepLapsedLeases(database.pool, options);
    await queues.announce(hints);
    metrics.leasesLapsed({ recovered, died });
    return { recovered, died };
  },
};

interface Lapsed extends LanePosition {
  id: string;
  ingestion_id: string;
  stage: string;
  epoch: number;
  attempts: number;
  worker: string | null;
  alone: boolean;
  outage: boolean;
}

export interface SweepOptions {
  policy: RetryPolicy;
  leaseMs: number;
  /** What becomes of the documents that wait for those that die. */
  admission: Admission;
  limit: number;
}

const lost = {
  code: 'WORKER_LOST',
  message: 'The process that worked on it gave no sign of life',
} as const;

/**
 * Who is to blame? A process that had this task alone leaves no doubt: the loss counts as an attempt. In a shared
 * process it may have been any of its tasks: none is charged, all become suspects and run alone from now on. If Postgres
 * itself was away, no lease could be renewed and nobody is to blame; that excuse holds for the first losses only, since
 * an embedded Postgres goes down with its process.
 */
const findLapsed = `
select id, ingestion_id, stage, lane, failures, epoch, attempts, lease_owner as worker, alone,
       losses < 3 and lease_until < pg_postmaster_start_time() + $2 * interval '1 millisecond' as outage
  from tasks
 where state = 'running' and lease_until <= now()
 order by lease_until limit $1 for update skip locked`;

const putBack = `
update tasks t
   set state = l.state, lane = l.lane, failures = l.failures, epoch = t.epoch + 1, attempts = l.attempts,
       losses = t.losses + 1, announced_at = null, suspect = t.suspect or l.suspect, alone = false,
       not_before = now() + l.delay_ms * interval '1 millisecond',
       lease_owner = null, lease_until = null, deadline = null, last_error = $8,
       ended_at = case when l.state = 'dead' then now() end
  from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::int[], $6::float8[], $7::bool[])
    as l(id, state, lane, failures, attempts, delay_ms, suspect)
 where t.id = l.id`;

/**
 * Tasks whose worker died or went silent go back to waiting. This is the only way back for them; BullMQ's own recovery
 * is a mere hint.
 */
export function sweepLapsedLeases(
  pool: pg.Pool,
  { policy, leaseMs, admission, limit }: SweepOptions,
) {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Lapsed>(findLapsed, [limit, leaseMs]);
    const losses = rows.map((row) => judged(row, policy));
    await client.query(putBack, [
      losses.map(({ id }) => id),
      losses.map(({ state }) => state),
      losses.map(({ lane }) => lane),
      losses.map(({ failures }) => failures),
      losses.map(({ attempts }) => attempts),
      losses.map(({ delayMs }) => delayMs),
      losses.map(({ outage }) => !outage),
      JSON.stringify(lost),
    ]);
    const tx = drizzle({ client });
    for (const loss of losses) await tell(tx, loss);
    const dead = losses.filter(({ state }) => state === 'dead');
    return {
      hints: await afterEndings(
        tx,
        dead.map(({ ingestion_id }) => ingestion_id),
        admission,
      ),
      recovered: losses.length - dead.length,
      died: dead.length,
    };
  });
}

type Judged = ReturnType<typeof judged>;

function judged(row: Lapsed, policy: RetryPolicy) {
  const { next, attempts, delayMs } = retryAfterLoss(row, row.alone && !row.outage, policy);
  return {
    ...row,
    ...next,
    state: next ? ('ready' as const) : ('dead' as const),
    attempts,
    delayMs,
  };
}

async function tell(
  tx: Db,
  { id: taskId, ingestion_id: ingestionId, ...loss }: Judged,
): Promise<void> {
  const { stage, lane, state, epoch, attempts, worker } = loss;
  await appendEvent(tx, 'TASK_FINISHED', ingestionId, {
    taskId,
    stage,
    epoch,
    outcome: 'lost',
    state,
    worker,
    error: lost,
  });
  if (state === 'dead') {
    await deadLetter(
      tx,
      { taskId, ingestionId, stage, lane, attempts, worker },
      { ...lost, category: 'lost' },
    );
  } else {
    await countAttempts(tx, ingestionId, attempts);
  }
}
