import type { Rig } from './rig.ts';

interface OpenTask {
  id: string;
  epoch: number;
  stage: string;
  suspect: boolean;
  /** It has progressed since, or waits for its due time. */
  moved: boolean;
  waiting: boolean;
}

/** The unfinished tasks of these documents. */
export async function openTasks({ database }: Rig, documents: string[]): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select t.id from tasks t join ingestions i on i.id = t.ingestion_id
      where i.document_id = any($1) and t.ended_at is null`,
    [documents],
  );
  return rows.map(({ id }) => id);
}

/** Counts documents with an ingestion in progress or an unfinished task. */
export async function openDocuments({ database }: Rig, documents: string[]): Promise<number> {
  const { rows } = await database.pool.query<{ open: number }>(
    `select count(*)::int as open from ingestions i join documents d on d.id = i.document_id
      where (d.id = any($1) or d.root_id = any($1))
        and (i.status = 'in-progress' or exists (select from tasks t where t.ingestion_id = i.id and t.ended_at is null))`,
    [documents],
  );
  return rows[0]?.open ?? 0;
}

/** Whether a run of any of these tasks has finished since, or all of the tasks have ended. */
export async function hasProgress(
  { database }: Rig,
  tasks: string[],
  since: Date,
): Promise<boolean> {
  const { rows } = await database.pool.query<{ progress: boolean }>(
    `select exists (select from events where type = 'TASK_FINISHED' and at > $2 and data->>'outcome' <> 'lost'
                       and data->>'taskId' = any($1))
            or not exists (select from tasks where id::text = any($1) and ended_at is null) as progress`,
    [tasks, since],
  );
  return rows[0]?.progress === true;
}

/** Whether each task has progressed since, waits for its due time, or has its hint in Redis. */
export async function isRecovered(
  { database, queues }: Rig,
  tasks: string[],
  since: Date,
): Promise<boolean> {
  const { rows } = await database.pool.query<OpenTask>(
    `select id, epoch, stage, suspect, state = 'ready' as waiting,
            ended_at is not null or (state = 'ready' and not_before > now())
            or exists (select from events e where e.type = 'TASK_FINISHED' and e.at > $2 and e.ingestion_id = t.ingestion_id
                          and e.data->>'taskId' = t.id::text and e.data->>'outcome' <> 'lost') as moved
       from tasks t where id = any($1)`,
    [tasks, since],
  );
  const rest = rows.filter(({ moved }) => !moved);
  if (rest.some(({ waiting }) => !waiting)) return false;
  const known = await queues.known(
    rest.map(({ id, epoch, stage, suspect }) => ({ taskId: id, epoch, stage, suspect })),
  );
  return known.every(Boolean);
}

/** Postgres' clock, which also dates the events. */
export async function databaseTime({ database }: Rig): Promise<Date> {
  const { rows } = await database.pool.query<{ now: Date }>('select clock_timestamp() as now');
  return rows[0]?.now ?? new Date();
}
