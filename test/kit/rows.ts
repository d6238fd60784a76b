import type pg from 'pg';
import { newId } from '../../src/lib/ids.ts';

/** Creates rows by the thousand, without stored files: for tests of decisions, not of reading. */

/** A pool or a single connection. */
export type Queries = Pick<pg.Pool, 'query'>;

export async function makeWorkspace(pool: Queries, maxInFlight = 200): Promise<string> {
  const id = newId();
  await pool.query(
    'insert into workspaces (id, name, max_in_flight) values ($1::uuid, $1::uuid::text, $2)',
    [id, maxInFlight],
  );
  return id;
}

/** An active batch that has the turn of its workspace and accepts no more items. */
export async function makeActiveBatch(pool: Queries, workspaceId: string): Promise<string> {
  const id = newId();
  await pool.query(
    `insert into batches (id, workspace_id, name, type, state, queued_at, started_at, turn_at, sealed_at)
     values ($1::uuid, $2, $1::uuid::text, 'FILES', 'active', now(), now(), now(), now())`,
    [id, workspaceId],
  );
  return id;
}

interface Making {
  workspaceId: string;
  batchId?: string;
  count: number;
  /** The stage their tasks wait in. Without one, the documents wait for admission. */
  stage?: string;
  name?: string;
}

/** The ids ascend: the first document created is the first to be admitted. */
export async function makeDocuments(
  pool: Queries,
  { workspaceId, batchId, count, stage, name = 'made' }: Making,
) {
  const { rows } = await pool.query<{ id: string }>(
    `with ${rowsWith("'in-progress'")},
     runs as (insert into ingestions (id, document_id, workspace_id, batch_id, waits_for, admitted_at)
       select ingestion_id, document_id, $1::uuid, $2::uuid, $2::uuid, case when $7::text is not null then now() end from ids),
     work as (insert into tasks (id, ingestion_id, stage, give_up_at, announced_at)
       select gen_random_uuid(), ingestion_id, $7::text, now() + interval '1 day', now() from ids where $7::text is not null),
     counted as (update batches set items_seen = items_seen + $3::int, documents = documents + $3::int, open = open + $3::int where id = $2::uuid)
     select document_id as id from ids order by n`,
    [workspaceId, batchId ?? null, count, name, newId(), newId(), stage ?? null],
  );
  return rows.map(({ id }) => id);
}

/** Documents that ended an hour ago, one in a hundred of them dead. */
export async function makeEnded(
  pool: Queries,
  { workspaceId, batchId, count, name = 'ended' }: Making,
): Promise<void> {
  await pool.query(
    `with ${rowsWith("case when n % 100 = 0 then 'failed' else 'completed' end")},
     runs as (insert into ingestions (id, document_id, workspace_id, batch_id, admitted_at, status, completed_at)
       select ingestion_id, document_id, $1::uuid, $2::uuid, now(), status, now() - interval '1 hour' from ids),
     work as (insert into tasks (id, ingestion_id, stage, state, give_up_at, ended_at)
       select ingestion_id, ingestion_id, 'claim', case when n % 100 = 0 then 'dead' else 'done' end, now(), now() from ids)
     insert into dead_letters (id, task_id, ingestion_id, stage, code, category, message, fingerprint, attempts, payload)
     select gen_random_uuid(), ingestion_id, ingestion_id, 'claim', 'INTERNAL', 'exhausted', '', '', 3, '{}' from ids where n % 100 = 0`,
    [workspaceId, batchId ?? null, count, name, newId(), newId()],
  );
}

/** The first parts of a query. The status of each document is an SQL expression over its number. */
const rowsWith = (status: string) => `
  numbers as (select n, lpad(to_hex(n), 12, '0') as hex, md5($5::text || n) as hash from generate_series(1, $3::int) n),
  ids as (select n, hash, ${status} as status, (substr($5::text, 1, 24) || hex)::uuid as document_id,
                 (substr($6::text, 1, 24) || hex)::uuid as ingestion_id from numbers),
  made as (insert into documents (id, workspace_id, batch_id, name, bytes, md5, sha1, sha256, storage_key, ingestion_id, status, needs_human_review)
    select document_id, $1::uuid, $2::uuid, $4::text || '-' || n, 1, hash, hash, hash, 'none', ingestion_id, status, status = 'failed' from ids)`;
