import type pg from 'pg';
import type { Announcement } from '../../src/engine/task/task.ts';
import { newId } from '../../src/lib/ids.ts';

const batch = 10_000;

const statement = `
with item as (select * from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as item(id, ingestion_id, task_id)),
document as (
  insert into documents (id, workspace_id, name, bytes, md5, sha1, sha256, storage_key, ingestion_id)
  select id, $4, 'scan-' || id || '.pdf', 10240, md5(id::text), md5(id::text), md5(id::text), 'documents/' || id, ingestion_id
    from item),
ingestion as (
  insert into ingestions (id, document_id, workspace_id, admitted_at, status, completed_at)
  select ingestion_id, id, $4, now(), case when $6 then 'completed' else 'in-progress' end, case when $6 then now() end from item),
event as (
  insert into events (type, ingestion_id, data)
  select 'DOCUMENT_ADDED', ingestion_id, jsonb_build_object('documentId', id) from item)
insert into tasks (id, ingestion_id, stage, state, give_up_at, announced_at, ended_at)
select task_id, ingestion_id, $5, case when $6 then 'done' else 'ready' end, now() + interval '1 hour',
       case when $6 then null else now() end, case when $6 then now() end
  from item`;

/**
 * Creates documents in bulk, in the state after intake or after finalize. Returns the hints of the
 * waiting ones.
 */
export async function seedDocuments(
  pool: pg.Pool,
  count: number,
  stage: string,
  { finished = false } = {},
): Promise<Announcement[]> {
  const workspaceId = newId();
  await pool.query('insert into workspaces (id, name) values ($1, $2)', [workspaceId, workspaceId]);
  const hints: Announcement[] = [];
  for (let made = 0; made < count; made += batch) {
    const [ids, ingestionIds, taskIds] = [0, 1, 2].map(() =>
      Array.from({ length: Math.min(batch, count - made) }, newId),
    );
    await pool.query(statement, [ids, ingestionIds, taskIds, workspaceId, stage, finished]);
    if (!finished) hints.push(...(taskIds ?? []).map((taskId) => ({ taskId, epoch: 0, stage })));
  }
  return hints;
}
