import type pg from 'pg';
import type { Circumstances, WaitingTask } from '../domain/circumstances.ts';

export type StoredCircumstances = Omit<Circumstances, 'queue' | 'providers'>;

interface Row extends Omit<WaitingTask, 'stage' | 'state'> {
  now: Date;
  status: Circumstances['ingestion']['status'];
  createdAt: Date;
  completedAt: Date | null;
  problem: { code: string; message: string } | null;
  relayedAt: Date | null;
  /** Null if there is no task yet. */
  stage: WaitingTask['stage'] | null;
  state: WaitingTask['state'] | null;
  ahead: number;
  meanMs: number | null;
  batch: Circumstances['admittance']['batch'] | null;
  inFlight: number;
  window: number;
}

const taskColumns = `
       (select succeeded_at from job_runs where name = $2) as "relayedAt",
       t.stage, t.lane, t.suspect, t.state, t.attempts, t.not_before as "notBefore", t.give_up_at as "giveUpAt",
       t.announced_at as "announcedAt", t.started_at as "startedAt", t.lease_owner as "leaseOwner",
       t.lease_until as "leaseUntil", t.deadline, t.last_error as "lastError", t.held,
       (select count(*)::int from (
          select stage, lane, not_before, id from tasks where state = 'ready' and announced_at is null
          union all
          select stage, lane, not_before, id from tasks where state = 'ready' and announced_at is not null) as r
         where r.stage = t.stage and r.lane = t.lane and (r.not_before, r.id) < (t.not_before, t.id)) as ahead,
       (select sum(mean_ms * runs) / sum(runs) from stage_statistics s where s.stage = t.stage) as "meanMs"`;

const ofDocument = `
select now(), i.status, i.created_at as "createdAt", i.completed_at as "completedAt", i.problems->-1 as problem,
       ${taskColumns},
       (select jsonb_build_object('name', b.name, 'state', b.state, 'stuckAt', b.stuck_at) from batches b where b.id = i.waits_for) as batch,
       (select count(*)::int from ingestions f where f.workspace_id = i.workspace_id and f.completed_at is null
           and f.admitted_at is not null) as "inFlight", w.max_in_flight as "window"
  from documents d
  join ingestions i on i.id = d.ingestion_id
  join workspaces w on w.id = i.workspace_id
  left join lateral (
    select * from tasks where ingestion_id = i.id order by ended_at nulls first, id desc limit 1) as t on true
 where d.id = $1`;

/** A task is its own story: it waits for no batch and no window. */
const ofTask = `
select now(), case t.state when 'done' then 'completed' when 'dead' then 'failed' when 'cancelled' then 'cancelled'
                           else 'in-progress' end as status,
       t.created_at as "createdAt", t.ended_at as "completedAt", t.last_error as problem,
       ${taskColumns},
       null as batch, 0 as "inFlight", 0 as "window"
  from tasks t
 where t.id = $1`;

const statements = { document: ofDocument, task: ofTask };

/** What Postgres knows about a waiting document or task, in one snapshot. */
export async function readCircumstances(
  pool: pg.Pool,
  { kind, id }: { kind: keyof typeof statements; id: string },
  relay: string,
): Promise<StoredCircumstances | undefined> {
  const { rows } = await pool.query<Row>(statements[kind], [id, relay]);
  const [row] = rows;
  if (!row) return undefined;
  const {
    now,
    status,
    createdAt,
    completedAt,
    problem,
    relayedAt,
    stage,
    state,
    ahead,
    meanMs,
    ...rest
  } = row;
  const { batch, inFlight, window, ...task } = rest;
  return {
    now,
    ingestion: { status, createdAt, completedAt },
    problem: problem ?? undefined,
    task: stage === null || state === null ? undefined : { ...task, stage, state },
    admittance: { batch: batch ?? undefined, inFlight, window },
    ahead,
    meanMs: meanMs ?? undefined,
    relayedAt: relayedAt ?? undefined,
  };
}
