import type pg from 'pg';
import type { Lane } from '../../domain/lane.ts';
import { batchCalls } from '../../lib/batch-calls.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import type { Task } from './task.ts';

export interface Request {
  taskId: string;
  epoch: number;
  stage: string;
  /** Default: small. */
  lane?: Lane;
  timeoutMs: number;
  /** The process runs nothing else at the same time, so it may take suspects. */
  alone: boolean;
}

/** Leases a task. Returns undefined if it moved on, is leased by another worker, or is not due. */
export type Take = (request: Request) => Promise<Task | undefined>;

/**
 * Commits without waiting for the disk. If a crash of Postgres loses a take, the task is ready
 * again, the worker's settlement finds no lease of its own, and the work is repeated. Settlements
 * do commit synchronously, and that also makes everything written before them durable.
 * The CASE keeps the planner on the primary key, as in settling: after an ANALYZE in the middle of a
 * burst it would scan all ready tasks.
 * Locked tasks are skipped: another transaction is taking or changing them. Waiting could only
 * deadlock two groups or find the task gone.
 */
const statement = `
with async_commit as materialized (select set_config('synchronous_commit', 'off', true)),
due as materialized (
  select t.id, r.deadline_ms, r.alone
    from unnest($1::uuid[], $2::int[], $3::text[], $4::float8[], $7::bool[], $8::text[])
           as r(id, epoch, stage, deadline_ms, alone, lane)
    join tasks t on t.id = r.id
   where t.epoch = r.epoch and t.stage = r.stage and t.lane = r.lane and (not t.suspect or r.alone)
     and case t.state when 'ready' then t.not_before <= now() else false end
     for no key update of t skip locked),
taken as (
  update tasks t
     set state = 'running', epoch = t.epoch + 1, started_at = now(), announced_at = null, lease_owner = $5,
         alone = r.alone, held = null,
         lease_until = now() + least($6, r.deadline_ms) * interval '1 millisecond',
         deadline = now() + r.deadline_ms * interval '1 millisecond'
    from due r
   where t.id = r.id
  returning t.id, t.subject_kind, t.subject_id, t.workspace_id, t.ingestion_id, t.stage, t.lane, t.epoch, t.attempts, t.failures, t.postponed, t.give_up_at)
select t.id, t.stage, t.lane, t.epoch, t.attempts, t.failures, t.postponed,
       extract(epoch from t.give_up_at - now())::float8 * 1000 as "giveUpInMs",
       json_build_object('kind', t.subject_kind, 'id', coalesce(t.ingestion_id, t.subject_id),
         'workspaceId', coalesce(d.workspace_id, t.workspace_id)) as subject,
       case when d.id is not null then json_build_object('id', d.id, 'workspaceId', d.workspace_id, 'batchId', d.batch_id, 'name', d.name,
         'declaredType', d.declared_type, 'mediaType', d.media_type, 'bytes', d.bytes, 'sha256', d.sha256,
         'storageKey', d.storage_key, 'ingestion', json_build_object('id', i.id,
           'pages', i.pages, 'transcriptionKey', i.transcription_key, 'transcriptionSha256', i.transcription_sha256,
           'preprocessedKey', i.preprocessed_key, 'preprocessedType', i.preprocessed_type, 'preprocessedPages', i.preprocessed_pages,
           'overrides', i.overrides, 'problems', i.problems, 'sealedPassword', i.sealed_password,
           'traceparent', i.traceparent)) end as document
  from taken t
  cross join async_commit
  left join ingestions i on i.id = t.ingestion_id
  left join documents d on d.id = i.document_id`;

/** After its timeout a worker keeps the task for this long, to record the timeout. */
export const settleMs = 15 * SECOND;

/**
 * A run may wait this long for sandbox processes, in addition to its time limit: longer than all
 * operations of other tasks of its stage can take.
 */
export const longestWaitMs = 15 * MINUTE;

/** How long a task stays with a worker at most. */
const keptMs = (timeoutMs: number) => timeoutMs + longestWaitMs + settleMs;

/** Takes of concurrent jobs are grouped into one statement. */
export function makeTake(
  pool: pg.Pool,
  { worker, leaseMs }: { worker: string; leaseMs: number },
): Take {
  const takeAll = async (requests: Request[]): Promise<(Task | undefined)[]> => {
    const { rows } = await pool.query<Task>({
      name: 'take',
      text: statement,
      values: [
        requests.map(({ taskId }) => taskId),
        requests.map(({ epoch }) => epoch),
        requests.map(({ stage }) => stage),
        requests.map(({ timeoutMs }) => keptMs(timeoutMs)),
        worker,
        leaseMs,
        requests.map(({ alone }) => alone),
        requests.map(({ lane = 'small' }) => lane),
      ],
    });
    const taken = new Map(rows.map((row) => [row.id, row]));
    return requests.map(({ taskId, epoch }) => {
      const task = taken.get(taskId);
      // The same hint may be in the group twice: only the first caller gets the task.
      if (task?.epoch === epoch + 1) taken.delete(taskId);
      return task?.epoch === epoch + 1 ? task : undefined;
    });
  };
  return batchCalls(takeAll, { most: 200, inFlight: 1 });
}

const deadlineStatement = `
update tasks set deadline = now() + $3 * interval '1 millisecond'
 where id = $1 and epoch = $2 and state = 'running'`;

/**
 * Returns the time limit of this run: the stage's, or the one set on the ingestion. In the second
 * case the deadline in the task is moved too, because leases are renewed only up to it.
 */
export async function setRunDeadline(pool: pg.Pool, task: Task, usualMs: number): Promise<number> {
  const timeoutMs = task.document?.ingestion.overrides.timeoutMs;
  if (timeoutMs === undefined) return usualMs;
  await pool.query(deadlineStatement, [task.id, task.epoch, keptMs(timeoutMs)]);
  return timeoutMs;
}
