import { and, eq, inArray } from 'drizzle-orm';
import { type Db, run } from '../db/index.ts';
import { batchItems } from '../db/schema/batch-items.ts';
import { documents } from '../db/schema/documents.ts';
import { ConflictError, IdempotencyKeyReusedError } from '../errors.ts';
import { newId } from '../lib/ids.ts';
import type { Fingerprints } from './hash.ts';

export interface NewDocument extends RepeatScope, Fingerprints {
  id: string;
  name: string;
  declaredType: string | null;
  /** A fixed document type. Default: that of the batch, else detected. */
  documentType: string | null;
  storageKey: string;
  idempotencyKey: string | null;
  /** Parent of its trace; null if it is not traced. */
  traceparent: string | null;
  /** With folders: in its container, or as the sender gave it. Null if it has none. */
  path: string | null;
  /** Its container, and its position in there. */
  parent?: { id: string; rootId: string; position: number };
}

/**
 * Inserts rows, ingestions and events of documents in one statement. Idempotent: a row that exists
 * was committed by an attempt whose reply was lost, and is left as it is. Returns the number of new
 * documents.
 */
export async function insertDocuments(
  tx: Db,
  { workspaceId, batchId }: RepeatScope,
  documents: readonly NewDocument[],
): Promise<number> {
  const { rowCount } = await run(tx, statement, [
    workspaceId,
    batchId,
    documents.map(newId),
    ...columns.map((column) => documents.map((document) => document[column])),
    ...parentColumns.map((column) => documents.map(({ parent }) => parent?.[column] ?? null)),
  ]);
  return rowCount ?? 0;
}

/** In the order of the statement's parameters, from $4. */
const columns = [
  'id',
  'name',
  'declaredType',
  'documentType',
  'bytes',
  'md5',
  'sha1',
  'sha256',
  'storageKey',
  'idempotencyKey',
  'traceparent',
  'path',
] as const satisfies (keyof NewDocument)[];
const parentColumns = ['id', 'rootId', 'position'] as const;

const statement = {
  name: 'insert-documents',
  text: `
    with item as (
      select * from unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[],
                           $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::uuid[],
                           $17::uuid[], $18::int[])
      as item(ingestion_id, id, name, declared_type, document_type, bytes, md5, sha1, sha256, storage_key,
              idempotency_key, traceparent, path, parent_id, root_id, position)),
    document as (
      insert into documents (id, workspace_id, batch_id, ingestion_id, name, declared_type, bytes, md5, sha1, sha256,
                             storage_key, idempotency_key, parent_id, root_id, position, path)
      select id, $1::uuid, $2::uuid, ingestion_id, name, declared_type, bytes, md5, sha1, sha256, storage_key,
             idempotency_key, parent_id, root_id, position, path
        from item
      on conflict (id) do nothing
      returning id, ingestion_id, name, bytes),
    fact as (
      insert into events (type, ingestion_id, batch_id, data)
      select 'DOCUMENT_ADDED', ingestion_id, $2::uuid,
             jsonb_build_object('documentId', id, 'name', name, 'bytes', bytes)
        from document)
    insert into ingestions (id, document_id, workspace_id, batch_id, waits_for, traceparent, overrides)
    select document.ingestion_id, document.id, $1::uuid, $2::uuid, $2::uuid, traceparent,
           jsonb_strip_nulls(jsonb_build_object('documentType', coalesce(item.document_type, batch.document_type),
             'noOcr', case when batch.no_ocr then true end))
      from document join item using (id)
      left join batches batch on batch.id = $2::uuid`,
};

export interface RepeatScope {
  workspaceId: string;
  batchId: string | null;
}

/** Maps idempotency keys to the documents that earlier requests with the same key returned. */
export async function findRepeated(
  tx: Db,
  { workspaceId, batchId }: RepeatScope,
  asked: readonly { idempotencyKey: string | null; sha256?: string }[],
): Promise<Map<string | null, string | null>> {
  const keys = asked.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  if (keys.length === 0) return new Map();
  const made = await tx
    .select({
      key: documents.idempotencyKey,
      documentId: documents.id,
      batchId: documents.batchId,
      sha256: documents.sha256,
    })
    .from(documents)
    .where(
      and(eq(documents.workspaceId, workspaceId), inArray(documents.idempotencyKey, [...keys])),
    );
  if (made.some((document) => document.batchId !== batchId))
    throw new ConflictError('The Idempotency-Key was used for a document of another batch.');
  const noted = batchId === null ? [] : await findNoted(tx, batchId, keys);
  const known = [...noted, ...made];
  for (const { key, sha256 } of known)
    if (asked.some((each) => each.idempotencyKey === key && each.sha256 && each.sha256 !== sha256))
      throw new IdempotencyKeyReusedError('document');
  return new Map(known.map(({ key, documentId }) => [key, documentId]));
}

/** Requests that did not create a document of their own. */
function findNoted(tx: Db, batchId: string, keys: readonly string[]) {
  return tx
    .select({
      key: batchItems.idempotencyKey,
      documentId: batchItems.documentId,
      sha256: batchItems.sha256,
    })
    .from(batchItems)
    .where(and(eq(batchItems.batchId, batchId), inArray(batchItems.idempotencyKey, [...keys])));
}
