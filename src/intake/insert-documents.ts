import { sql } from 'drizzle-orm';
import type { Db } from '../db/index.ts';
import { newId } from '../lib/ids.ts';
import type { Place } from './find-repeated.ts';
import type { Fingerprints } from './hash.ts';

export interface NewDocument extends Place, Fingerprints {
  id: string;
  name: string;
  declaredType: string | null;
  /** What it is, whatever it looks like; what its batch says, or chosen, when absent. */
  documentType: string | null;
  storageKey: string;
  idempotencyKey: string | null;
  /** Where its trace begins; null = it is not traced. */
  traceparent: string | null;
}

/**
 * Rows, ingestions and events of documents that come in together, by one statement. One that is there already was
 * committed by an attempt whose answer got lost: it stays as it is. Answers how many are new.
 */
export async function insertDocuments(
  tx: Db,
  { workspaceId, batchId }: Place,
  documents: readonly NewDocument[],
): Promise<number> {
  const column = <Value>(of: (document: NewDocument) => Value) => sql.param(documents.map(of));
  const { rowCount } = await tx.execute(sql`
    with item as (
      select * from unnest(
        ${column(({ id }) => id)}::uuid[], ${column(newId)}::uuid[], ${column(({ name }) => name)}::text[],
        ${column(({ declaredType }) => declaredType)}::text[],
        ${column(({ documentType }) => documentType)}::text[], ${column(({ bytes }) => bytes)}::bigint[],
        ${column(({ md5 }) => md5)}::text[], ${column(({ sha1 }) => sha1)}::text[],
        ${column(({ sha256 }) => sha256)}::text[], ${column(({ storageKey }) => storageKey)}::text[],
        ${column(({ idempotencyKey }) => idempotencyKey)}::text[],
        ${column(({ traceparent }) => traceparent)}::text[])
      as item(id, ingestion_id, name, declared_type, document_type, bytes, md5, sha1, sha256, storage_key,
              idempotency_key, traceparent)),
    document as (
      insert into documents (id, workspace_id, batch_id, ingestion_id, name, declared_type, bytes, md5, sha1, sha256,
                             storage_key, idempotency_key)
      select id, ${workspaceId}, ${batchId}::uuid, ingestion_id, name, declared_type, bytes, md5, sha1, sha256,
             storage_key, idempotency_key
        from item
      on conflict (id) do nothing
      returning id, ingestion_id, name, bytes),
    fact as (
      insert into events (type, ingestion_id, batch_id, data)
      select 'DOCUMENT_ADDED', ingestion_id, ${batchId}::uuid,
             jsonb_build_object('documentId', id, 'name', name, 'bytes', bytes)
        from document)
    insert into ingestions (id, document_id, workspace_id, batch_id, waits_for, traceparent, overrides)
    select document.ingestion_id, id, ${workspaceId}, ${batchId}::uuid, ${batchId}::uuid, traceparent,
           jsonb_strip_nulls(jsonb_build_object('documentType', coalesce(document_type,
             (select document_type from batches where batches.id = ${batchId}::uuid))))
      from document join item using (id)`);
  return rowCount ?? 0;
}
