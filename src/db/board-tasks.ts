import type pg from 'pg';

/** What the board shows of a task, for the run that a job pointed at. */
export interface BoardTask {
  taskId: string;
  /** Of the hint: before the task was taken. */
  epoch: number;
  subject: { kind: string; id: string };
  documentId: string | null;
  document: string | null;
  workspace: string | null;
  batch: string | null;
  attempts: number;
  /** Of the task now, which may be many runs later. */
  state: string;
  stage: string;
  /** The TASK_FINISHED event of this run, if it has ended. */
  run: BoardRun | null;
  endedAt: Date | null;
  deadLetterId: string | null;
}

export interface BoardRun {
  stage: string;
  lane?: string;
  outcome: string;
  worker: string | null;
  ms?: number;
  delayMs?: number;
  error?: { code: string; message: string };
}

const statement = `
select h.id as "taskId", h.epoch, d.id as "documentId", d.name as document, w.name as workspace, b.name as batch,
       jsonb_build_object('kind', t.subject_kind, 'id', coalesce(t.ingestion_id, t.subject_id)) as subject,
       t.attempts, t.state, t.stage, e.data as run, e.at as "endedAt", l.id as "deadLetterId"
  from unnest($1::uuid[], $2::int[]) as h(id, epoch)
  join tasks t on t.id = h.id
  left join ingestions i on i.id = t.ingestion_id
  left join documents d on d.id = i.document_id
  left join batches b on b.id = d.batch_id
  left join workspaces w on w.id = coalesce(d.workspace_id, t.workspace_id)
  left join lateral (
    select data, at from events
     where ingestion_id = t.ingestion_id and type = 'TASK_FINISHED' and data->>'taskId' = t.id::text
       and (data->>'epoch')::int = h.epoch + 1
     order by id desc limit 1) e on true
  left join lateral (
    select id from dead_letters where task_id = t.id order by id desc limit 1) l on true`;

export async function findBoardTasks(
  pool: pg.Pool,
  hints: readonly { taskId: string; epoch: number }[],
): Promise<BoardTask[]> {
  if (hints.length === 0) return [];
  const ids = hints.map(({ taskId }) => taskId);
  const epochs = hints.map(({ epoch }) => epoch);
  return (await pool.query<BoardTask>(statement, [ids, epochs])).rows;
}

const lettersStatement = `
select id from dead_letters where task_id = any($1::uuid[]) and state = 'open' order by id`;

export async function findOpenLetters(
  pool: pg.Pool,
  taskIds: readonly string[],
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(lettersStatement, [taskIds]);
  return rows.map(({ id }) => id);
}
