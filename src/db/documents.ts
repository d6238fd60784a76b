import { and, count, desc, eq, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Db } from './index.ts';
import { documents } from './schema/documents.ts';
import { ingestions } from './schema/ingestions.ts';

export type DocumentView = Awaited<ReturnType<typeof selectViews>>[number];

/** The document with its latest ingestion, as people see it; undefined when it is not there or not in this workspace. */
export async function findDocument(db: Db, id: string, workspaceId?: string): Promise<DocumentView | undefined> {
  const [view] = await selectViews(db, and(eq(documents.id, id), inWorkspace(workspaceId)), 1);
  return view;
}

export function findDocumentsById(db: Db, ids: string[]): Promise<DocumentView[]> {
  return ids.length === 0 ? Promise.resolve([]) : selectViews(db, inArray(documents.id, ids), ids.length);
}

export interface Listing {
  workspaceId: string | undefined;
  batchId?: string | undefined;
  status?: DocumentView['status'] | undefined;
  needsReview?: boolean | undefined;
  /** Documents older than this one. */
  before?: string | undefined;
  limit: number;
}

/** Newest first. */
export function listDocuments(
  db: Db,
  { workspaceId, batchId, status, needsReview, before, limit }: Listing,
): Promise<DocumentView[]> {
  // Not by equality: then the order of both columns can be had from their common index alone, and documents of other
  // workspaces, however many are newer, are never read.
  const own = workspaceId && sql`${documents.workspaceId} = any(${sql.param([workspaceId])}::uuid[])`;
  const conditions = and(
    own || undefined,
    batchId === undefined ? undefined : eq(documents.batchId, batchId),
    status && eq(ingestions.status, status),
    needsReview === undefined ? undefined : eq(documents.needsHumanReview, needsReview),
    before === undefined ? undefined : lt(documents.id, before),
  );
  return selectViews(db, conditions, limit, own ? [desc(documents.workspaceId)] : []);
}

/**
 * Locks a document against other runs and its removal, and tells its latest ingestion. The status is read by a
 * statement of its own: one that waited for the lock would still show it as it was before.
 */
export async function lockDocument(tx: Db, id: string) {
  const [document] = await tx
    .select({ ingestionId: documents.ingestionId })
    .from(documents)
    .where(and(eq(documents.id, id), isNull(documents.deletedAt)))
    .for('no key update');
  if (!document) return undefined;
  const { ingestionId } = document;
  const [ingestion] = await tx
    .select({ status: ingestions.status })
    .from(ingestions)
    .where(eq(ingestions.id, ingestionId));
  return ingestion && { ingestionId, status: ingestion.status };
}

/** Marks a document as deleted if this is still its latest ingestion. */
export async function markDeleted(tx: Db, id: string, ingestionId: string): Promise<boolean> {
  const marked = await tx
    .update(documents)
    .set({ deletedAt: sql`now()`, updatedAt: sql`now()` })
    .where(and(eq(documents.id, id), eq(documents.ingestionId, ingestionId), isNull(documents.deletedAt)))
    .returning({ id: documents.id });
  return marked.length > 0;
}

export async function ingestionsOf(db: Db, documentId: string): Promise<string[]> {
  const rows = await db.select({ id: ingestions.id }).from(ingestions).where(eq(ingestions.documentId, documentId));
  return rows.map(({ id }) => id);
}

export async function countBytesMissing(db: Db): Promise<number> {
  const [found] = await db
    .select({ documents: count() })
    .from(documents)
    .where(and(isNotNull(documents.bytesMissingAt), isNull(documents.deletedAt)));
  return found?.documents ?? 0;
}

function inWorkspace(workspaceId: string | undefined): SQL | undefined {
  return workspaceId === undefined ? undefined : eq(documents.workspaceId, workspaceId);
}

/** The stages in the order they were finished, retries and waits included. */
const stages = sql<string[]>`(
  select coalesce(array_agg(data->>'stage' order by id), '{}')
    from events where ingestion_id = ${ingestions.id} and type = 'TASK_FINISHED')`;

function selectViews(db: Db, where: SQL | undefined, limit: number, order: SQL[] = []) {
  return db
    .select({
      id: documents.id,
      workspaceId: documents.workspaceId,
      batchId: documents.batchId,
      name: documents.name,
      mediaType: documents.mediaType,
      declaredType: documents.declaredType,
      bytes: documents.bytes,
      sha256: documents.sha256,
      storageKey: documents.storageKey,
      ingestionId: ingestions.id,
      status: ingestions.status,
      needsReview: documents.needsHumanReview,
      attempts: ingestions.attemptCount,
      pages: ingestions.pages,
      quality: ingestions.transcriptionQuality,
      language: ingestions.language,
      documentType: ingestions.documentType,
      schemaOrigin: ingestions.schemaOrigin,
      schemaVersion: ingestions.schemaVersion,
      problems: ingestions.problems,
      stages,
      structuredData: ingestions.structuredData,
      valid: ingestions.validStructuredData,
      verdict: ingestions.verdict,
      transcriptionKey: ingestions.transcriptionKey,
      transcriptionSha256: ingestions.transcriptionSha256,
      preprocessedKey: ingestions.preprocessedKey,
      preprocessedType: ingestions.preprocessedType,
      model: ingestions.extractionModel,
      inputTokens: ingestions.extractionInputTokens,
      outputTokens: ingestions.extractionOutputTokens,
      costMicros: ingestions.costMicros,
      createdAt: documents.createdAt,
      completedAt: ingestions.completedAt,
    })
    .from(documents)
    .innerJoin(ingestions, eq(ingestions.id, documents.ingestionId))
    .where(and(isNull(documents.deletedAt), where))
    .orderBy(...order, desc(documents.id))
    .limit(limit);
}
