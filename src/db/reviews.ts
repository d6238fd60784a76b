import { and, asc, desc, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { ReviewState } from '../domain/review.ts';
import { MINUTE } from '../lib/time.ts';
import type { Db } from './index.ts';
import { documents } from './schema/documents.ts';
import { reviewChanges, reviews } from './schema/reviews.ts';

export type Review = Awaited<ReturnType<typeof selectReviews>>[number];

export interface ReviewFilter {
  workspaceId: string | undefined;
  type?: string | undefined;
  /** Text contained in a reason, or the name of a field in doubt. */
  reason?: string | undefined;
  /** Id of a key; `none` = not claimed. */
  assignee?: string | undefined;
}

export interface ReviewListing extends ReviewFilter {
  state?: ReviewState | undefined;
  sort?: 'oldest' | 'newest' | undefined;
  /** Cursor: only reviews after that of this document. */
  after?: string | undefined;
  limit: number;
}

/** Higher priorities first, then by age. */
export function listReviews(db: Db, listing: ReviewListing): Promise<Review[]> {
  const { state = 'open', sort = 'oldest', after, limit, ...filter } = listing;
  const conditions = and(eq(reviews.state, state), matching(filter), afterCursor(after, sort));
  return selectReviews(db, conditions)
    .orderBy(
      desc(reviews.priority),
      ...(sort === 'oldest'
        ? [asc(reviews.openedAt), asc(reviews.documentId)]
        : [desc(reviews.openedAt), desc(reviews.documentId)]),
    )
    .limit(limit);
}

export async function findReview(db: Db, documentId: string): Promise<Review | undefined> {
  const [found] = await selectReviews(db, eq(reviews.documentId, documentId));
  return found;
}

/** How many open reviews there are, by document type and by field in doubt. */
export async function countReviews(db: Db, workspaceId: string | undefined) {
  const open = and(
    eq(reviews.state, 'open'),
    inWorkspace(workspaceId),
    isNull(documents.deletedAt),
  );
  const joined = sql`${reviews} join ${documents} on ${documents.id} = ${reviews.documentId}`;
  const { rows } = await db.execute<{ kind: string; name: string; count: number }>(sql`
    select 'type' as kind, coalesce(${reviews.documentType}, '') as name, count(*)::int as count
      from ${joined} where ${open} group by 2
    union all
    select 'field', field, count(*)::int from ${joined}, unnest(${reviews.fields}) as field
     where ${open} group by 2
    union all
    select 'open', '', count(*)::int from ${joined} where ${open}`);
  const counts = (kind: string) =>
    Object.fromEntries(
      rows.filter((row) => row.kind === kind).map(({ name, count }) => [name, count]),
    );
  return { open: counts('open')[''] ?? 0, byType: counts('type'), byField: counts('field') };
}

/** A claim ends without a heartbeat: whoever left the page does not keep the document. */
export const claimMs = 15 * MINUTE;

const claimed = (keyId: string) => ({
  assignee: keyId,
  claimedUntil: sql`now() + ${claimMs} * interval '1 millisecond'`,
});

const unclaimed = or(isNull(reviews.claimedUntil), lt(reviews.claimedUntil, sql`now()`));

/** Claims the next review that nobody holds. Two callers never get the same one. */
export async function claimNext(
  db: Db,
  keyId: string,
  filter: ReviewFilter,
): Promise<string | undefined> {
  const next = db
    .select({ id: reviews.documentId })
    .from(reviews)
    .innerJoin(documents, eq(documents.id, reviews.documentId))
    .where(and(eq(reviews.state, 'open'), isNull(documents.deletedAt), unclaimed, matching(filter)))
    .orderBy(desc(reviews.priority), asc(reviews.openedAt), asc(reviews.documentId))
    .limit(1)
    .for('update', { of: reviews, skipLocked: true });
  const [taken] = await db
    .update(reviews)
    .set(claimed(keyId))
    .where(eq(reviews.documentId, next))
    .returning({ documentId: reviews.documentId });
  return taken?.documentId;
}

/** Claims this review, or extends the caller's claim. False if somebody else holds it. */
export async function claimReview(db: Db, documentId: string, keyId: string): Promise<boolean> {
  const taken = await db
    .update(reviews)
    .set(claimed(keyId))
    .where(
      and(
        eq(reviews.documentId, documentId),
        eq(reviews.state, 'open'),
        or(unclaimed, eq(reviews.assignee, keyId)),
      ),
    )
    .returning({ documentId: reviews.documentId });
  return taken.length > 0;
}

/** Ends a claim. Without a key it ends anybody's. */
export async function releaseReview(db: Db, documentId: string, keyId?: string): Promise<void> {
  await db
    .update(reviews)
    .set({ assignee: null, claimedUntil: null })
    .where(
      and(
        eq(reviews.documentId, documentId),
        keyId === undefined ? undefined : eq(reviews.assignee, keyId),
      ),
    );
}

/** A new run replaces the values that were in doubt. */
export async function withdrawReview(tx: Db, documentId: string): Promise<void> {
  await tx
    .update(reviews)
    .set({ state: 'withdrawn', assignee: null, claimedUntil: null })
    .where(and(eq(reviews.documentId, documentId), eq(reviews.state, 'open')));
}

/** Oldest first. */
export function listReviewChanges(db: Db, documentId: string) {
  return db
    .select()
    .from(reviewChanges)
    .where(eq(reviewChanges.documentId, documentId))
    .orderBy(asc(reviewChanges.id));
}

function matching({ workspaceId, type, reason, assignee }: ReviewFilter): SQL | undefined {
  const held = gt(reviews.claimedUntil, sql`now()`);
  return and(
    inWorkspace(workspaceId),
    type === undefined ? undefined : eq(reviews.documentType, type),
    reason === undefined
      ? undefined
      : sql`(${reason} = any(${reviews.fields}) or exists (
          select from unnest(${reviews.reasons}) as r where strpos(lower(r), lower(${reason})) > 0))`,
    assignee === undefined
      ? undefined
      : assignee === 'none'
        ? unclaimed
        : and(eq(reviews.assignee, assignee), held),
  );
}

function afterCursor(after: string | undefined, sort: 'oldest' | 'newest'): SQL | undefined {
  if (after === undefined) return undefined;
  const later = sort === 'oldest' ? sql`>` : sql`<`;
  const from = sql`(select at from reviews at where at.document_id = ${after})`;
  return sql`(${reviews.priority} < (${from}).priority or (${reviews.priority} = (${from}).priority
    and (${reviews.openedAt}, ${reviews.documentId}) ${later} ((${from}).opened_at, ${after}::uuid)))`;
}

function inWorkspace(workspaceId: string | undefined): SQL | undefined {
  return workspaceId === undefined ? undefined : eq(reviews.workspaceId, workspaceId);
}

function selectReviews(db: Db, where: SQL | undefined) {
  return db
    .select({
      /** A review is named by its document. */
      id: reviews.documentId,
      workspaceId: reviews.workspaceId,
      ingestionId: reviews.ingestionId,
      name: documents.name,
      path: documents.path,
      state: reviews.state,
      documentType: reviews.documentType,
      reasons: reviews.reasons,
      fields: reviews.fields,
      priority: reviews.priority,
      openedAt: reviews.openedAt,
      /** Null when the claim has ended. */
      assignee: sql<
        string | null
      >`case when ${reviews.claimedUntil} > now() then ${reviews.assignee} end`,
      claimedUntil: reviews.claimedUntil,
      settledAt: reviews.settledAt,
      settledBy: reviews.settledBy,
      rejection: reviews.rejection,
    })
    .from(reviews)
    .innerJoin(documents, eq(documents.id, reviews.documentId))
    .where(and(isNull(documents.deletedAt), where))
    .$dynamic();
}
