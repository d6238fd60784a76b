import type pg from 'pg';

export interface StageLoad {
  /** The queue: a stage, the large lane of one, or the quarantine. */
  stage: string;
  /** Tasks that are due and not taken. */
  waiting: number;
  /** Tasks that are not due yet: retries, and waits for external services. */
  delayed: number;
  running: number;
  /** How long the oldest waiting task has been due, in seconds. */
  oldestSeconds: number;
  /** Mean duration of a task; undefined when the stage has not run for a day. */
  meanMs: number | undefined;
}

/** Must match `queueForHint`. */
const queueExpression =
  "case when suspect then 'quarantine' when lane = 'large' then stage || '-large' else stage end";

/** The union uses the two partial indexes of ready tasks, so the tasks table is never scanned. */
const statement = `
with ready as (
  select ${queueExpression} as queue, not_before from tasks where state = 'ready' and announced_at is null
  union all
  select ${queueExpression} as queue, not_before from tasks where state = 'ready' and announced_at is not null),
waiting as (
  select queue, count(*) filter (where not_before <= now())::int as waiting,
         count(*) filter (where not_before > now())::int as delayed,
         coalesce(extract(epoch from now() - min(not_before) filter (where not_before <= now())), 0)::float8 as oldest
    from ready group by queue),
running as (select ${queueExpression} as queue, count(*)::int as running from tasks where state = 'running' group by 1),
pace as (select stage, sum(mean_ms * runs) / sum(runs) as mean_ms from stage_statistics group by stage)
select s.queue as stage, coalesce(w.waiting, 0) as waiting, coalesce(w.delayed, 0) as delayed,
       coalesce(r.running, 0) as running, coalesce(w.oldest, 0) as "oldestSeconds", p.mean_ms as "meanMs"
  from unnest($1::text[]) as s(queue)
  left join waiting w using (queue) left join running r using (queue)
  left join pace p on p.stage = regexp_replace(s.queue, '-large$', '')`;

export async function readLoad(pool: pg.Pool, stages: readonly string[]): Promise<StageLoad[]> {
  const { rows } = await pool.query<Omit<StageLoad, 'meanMs'> & { meanMs: number | null }>(
    statement,
    [stages],
  );
  return rows.map((row) => ({ ...row, meanMs: row.meanMs ?? undefined }));
}

/** Assumed duration of a task in a stage without statistics. */
const guessMs = 1000;

/** The waiting work in seconds for one worker. */
export function backlogSeconds({
  waiting,
  meanMs = guessMs,
}: Pick<StageLoad, 'waiting' | 'meanMs'>): number {
  return (waiting * meanMs) / 1000;
}
