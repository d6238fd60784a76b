import type pg from 'pg';

export interface StageLoad {
  /** Or its large lane: whatever has a queue of its own. */
  stage: string;
  /** Due and not taken yet. */
  waiting: number;
  /** Not due before some later time: retries and waits for something outside. */
  delayed: number;
  running: number;
  /** Since when the oldest of those waiting is due, in seconds. */
  oldestSeconds: number;
  /** How long one task takes; undefined when the stage has not run for a day. */
  meanMs: number | undefined;
}

/** As `queueName` names them. */
const queueExpression = "case lane when 'large' then stage || '-large' else stage end";

/** Each half of the waiting tasks has an index of its own: the table of all tasks is never read. */
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

/** A task of a stage that nothing is known about yet. */
const guessMs = 1000;

/** The work that waits, in seconds for one worker. */
export function backlogSeconds({
  waiting,
  meanMs = guessMs,
}: Pick<StageLoad, 'waiting' | 'meanMs'>): number {
  return (waiting * meanMs) / 1000;
}
