import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { appendEvent } from '../db/events.ts';
import { type Db, inTransaction } from '../db/index.ts';
import type { Admission } from '../engine/admission/admission.ts';
import { afterEndings } from '../engine/admission/batch/after-endings.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { countAttempts, deadLetter } from '../engine/task/effects.ts';
import type { LanePosition } from '../engine/task/lane-choice.ts';
import { type RetryPolicy, retryAfterLoss } from '../engine/task/retry.ts';
import {
  type FailSubject,
  ingestionOf,
  type Subject,
  subjectFacts,
} from '../engine/task/subject.ts';
import { SECOND } from '../lib/time.ts';

export const sweepStaleClaims: IntervalJob = {
  everyMs: 5 * SECOND,
  async run({ database, queues, policy, failSubject, leaseMs, admission, metrics }) {
    const options = { policy, failSubject, leaseMs, admission, limit: 500 };
    const { hints, recovered, died } = await sweepLapsedLeases(database.pool, options);
    await queues.announce(hints);
    metrics.leasesLapsed({ recovered, died });
    return { recovered, died };
  },
};

interface Lapsed extends LanePosition {
  id: string;
  subject: Subject;
  stage: string;
  epoch: number;
  attempts: number;
  worker: string | null;
  alone: boolean;
  outage: boolean;
}

export interface SweepOptions {
  policy: RetryPolicy;
  failSubject: FailSubject;
  leaseMs: number;
  /** Used to admit waiting documents in place of those that died. */
  admission: Admission;
  limit: number;
}

const lost = {
  code: 'WORKER_LOST',
  message: 'The worker process died or stopped responding',
} as const;

/**
 * Decides whether a loss is charged. If the process ran only this task, the loss counts as an
 * attempt. In a shared process any of its tasks may be the cause: none is charged, and all become
 * suspects that run alone from now on. If Postgres itself was down, no lease could be renewed and
 * no task is charged. This applies to the first three losses only, because an embedded Postgres
 * goes down together with its process.
 */
const findLapsed = `
select id, stage, lane, failures, epoch, attempts, lease_owner as worker, alone,
       json_build_object('kind', subject_kind, 'id', coalesce(ingestion_id, subject_id), 'workspaceId', workspace_id) as subject,
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
 * Returns tasks to the queue whose worker died or stopped responding. Only this sweep does so;
 * BullMQ's own recovery of stalled jobs merely repeats a hint.
 */
export function sweepLapsedLeases(
  pool: pg.Pool,
  { policy, failSubject, leaseMs, admission, limit }: SweepOptions,
) {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Lapsed>(findLapsed, [limit, leaseMs]);
    const losses = rows.map((row) => judge(row, policy));
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
    for (const loss of losses) await recordLoss(tx, loss, failSubject);
    const dead = losses.filter(({ state }) => state === 'dead');
    return {
      hints: await afterEndings(
        tx,
        dead.flatMap(({ subject }) => ingestionOf(subject) ?? []),
        admission,
      ),
      recovered: losses.length - dead.length,
      died: dead.length,
    };
  });
}

type Loss = ReturnType<typeof judge>;

function judge(row: Lapsed, policy: RetryPolicy) {
  const { next, attempts, delayMs } = retryAfterLoss(row, row.alone && !row.outage, policy);
  return {
    ...row,
    ...next,
    state: next ? ('ready' as const) : ('dead' as const),
    attempts,
    delayMs,
  };
}

async function recordLoss(
  tx: Db,
  { id: taskId, subject, ...loss }: Loss,
  failSubject: FailSubject,
): Promise<void> {
  const { stage, lane, state, epoch, attempts, worker } = loss;
  await appendEvent(tx, 'TASK_FINISHED', ingestionOf(subject) ?? null, {
    taskId,
    stage,
    ...subjectFacts(subject),
    epoch,
    outcome: 'lost',
    state,
    worker,
    error: lost,
  });
  if (state === 'dead') {
    const failure = { ...lost, category: 'lost' } as const;
    await deadLetter(tx, { taskId, subject, stage, lane, attempts, worker }, failure);
    await failSubject(tx, stage, subject, failure);
  } else {
    await countAttempts(tx, subject, attempts);
  }
}
