import { and, count, desc, eq, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { ItemKind } from '../domain/batch-ledger.ts';
import type { ReviewState } from '../domain/review.ts';
import type { Db } from './index.ts';
import { oneRun, runsWith, selectNewest, workspaceRuns } from './newest.ts';
import { documents } from './schema/documents.ts';
import { ingestions } from './schema/ingestions.ts';

export type DocumentView = Awaited<ReturnType<typeof selectViews>>[number];

/** A document with its latest ingestion; undefined if it does not exist in this workspace. */
export async function findDocument(
  db: Db,
  id: string,
  workspaceId?: string,
): Promise<DocumentView | undefined> {
  const [view] = await selectViews(db, and(eq(documents.id, id), inWorkspace(workspaceId)), 1);
  return view;
}

/** At most `limit` of these documents whose latest ingestion has ended. */
export function findEnded(db: Db, ids: readonly string[], limit: number): Promise<DocumentView[]> {
  const asked = sql`${documents.id} = any(${sql.param(ids)}::uuid[])`;
  return selectViews(db, and(asked, ne(ingestions.status, 'in-progress')), limit);
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
export function listDocuments(db: Db, listing: Listing): Promise<DocumentView[]> {
  const { workspaceId, batchId, status, needsReview, before, limit } = listing;
  const own =
    batchId === undefined
      ? workspaceRuns(workspaceId, status !== undefined || needsReview === true)
      : oneRun('batch_id', batchId);
  const reviewed = needsReview ? sql`item.needs_human_review` : sql`not item.needs_human_review`;
  const ids = selectNewest({
    from: sql`documents item`,
    runs: runsWith('status', status && [status], own),
    where: [sql`item.deleted_at is null`, needsReview === undefined ? undefined : reviewed],
    before,
    limit,
  });
  return selectViews(db, and(sql`${documents.id} = any(${ids})`, inWorkspace(workspaceId)), limit);
}

/**
 * Locks a document against new runs and deletion, and returns its latest ingestion. The status is
 * read in a second statement: the snapshot of the first predates its wait for the lock.
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
    .where(
      and(
        eq(documents.id, id),
        eq(documents.ingestionId, ingestionId),
        isNull(documents.deletedAt),
      ),
    )
    .returning({ id: documents.id });
  return marked.length > 0;
}

export async function listIngestions(db: Db, documentId: string): Promise<string[]> {
  const rows = await db
    .select({ id: ingestions.id })
    .from(ingestions)
    .where(eq(ingestions.documentId, documentId));
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

/** Stages in the order they finished, including retries and waits. */
const stages = sql<string[]>`(
  select coalesce(array_agg(data->>'stage' order by id), '{}')
    from events where ingestion_id = ${ingestions.id} and type = 'TASK_FINISHED')`;

interface LeftOut {
  name: string;
  kind: ItemKind;
  reason: string;
}

/** Entries of a container that did not become documents: the first hundred, with the reason. */
const leftOut = sql<LeftOut[] | null>`case when ${documents.contents} is not null then (
  select coalesce(json_agg(entry), '[]') from (
    select name, kind, reason from batch_items where container_id = ${documents.id} order by position limit 100) entry) end`;

interface AttachmentRange {
  count: number;
  first: string | null;
  last: string | null;
}

/** A document that was unpacked directly from this one: the first or the last of them. */
const childAt = (order: SQL) => sql`(
  select child.id from documents child
   where child.parent_id = ${documents.id} and child.deleted_at is null
   order by child.position ${order} limit 1)`;

/** The documents that were unpacked directly from this one: how many, and the ends of the range. */
const attachmentRange = sql<AttachmentRange | null>`case
  when (${documents.contents}->>'documents')::int > 0 then json_build_object(
    'count', (${documents.contents}->>'documents')::int,
    'first', ${childAt(sql`asc`)}, 'last', ${childAt(sql`desc`)}) end`;

/** What a person decided, or that one has to. */
const review = sql<{ state: ReviewState; by: string | null; at: string | null } | null>`(
  select json_build_object('state', state, 'by', settled_by, 'at', settled_at)
    from reviews where document_id = ${documents.id} and ingestion_id = ${ingestions.id})`;

function selectViews(db: Db, where: SQL | undefined, limit: number) {
  return db
    .select({
      id: documents.id,
      workspaceId: documents.workspaceId,
      batchId: documents.batchId,
      parentId: documents.parentId,
      rootId: documents.rootId,
      position: documents.position,
      path: documents.path,
      contents: documents.contents,
      attachmentRange,
      leftOut,
      name: documents.name,
      mediaType: documents.mediaType,
      declaredType: documents.declaredType,
      metadata: documents.metadata,
      bytes: documents.bytes,
      legalHold: sql<boolean>`is_held(${documents.workspaceId}, ${documents.id})`,
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
      revision: ingestions.revision,
      machineData: ingestions.machineData,
      review,
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
    .orderBy(desc(documents.id))
    .limit(limit);
}
