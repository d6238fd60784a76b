import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import { appendEvent } from './events.ts';
import type { Db } from './index.ts';
import { documents } from './schema/documents.ts';

/** The owners of objects in storage. */
export type OwnerKind = 'documents' | 'ingestions';

const ownerStatements = {
  documents: sql`select d.id from documents d`,
  ingestions: sql`select i.id from ingestions i join documents d on d.id = i.document_id`,
} satisfies Record<OwnerKind, unknown>;
const ownerIds = { documents: sql`d.id`, ingestions: sql`i.id` } satisfies Record<
  OwnerKind,
  unknown
>;

/**
 * The owners whose objects must be kept: they exist, were deleted less than `graceMs` ago, or are
 * under a legal hold.
 */
export async function ownersToKeep(
  db: Db,
  kind: OwnerKind,
  ids: readonly string[],
  graceMs: number,
): Promise<Set<string>> {
  const { rows } = await db.execute<{ id: string }>(sql`
    ${ownerStatements[kind]}
     where ${ownerIds[kind]} = any(${sql.param(ids)}::uuid[])
       and (d.deleted_at is null or d.deleted_at > now() - ${graceMs}::float8 * interval '1 millisecond'
            or is_held(d.workspace_id, d.id))`);
  return new Set(rows.map(({ id }) => id));
}

/** The time `ms` ago by the clock of the database. */
export async function timeBefore(db: Db, ms: number): Promise<Date> {
  const { rows } = await db.execute<{ at: string }>(
    sql`select now() - ${ms}::float8 * interval '1 millisecond' as at`,
  );
  return new Date(rows[0]?.at ?? 0);
}

/** Identifies this database: the id of its oldest workspace. */
export async function installationId(db: Db): Promise<string> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from workspaces order by created_at, id limit 1`,
  );
  const [oldest] = rows;
  if (!oldest) throw new Error('The database has no workspace yet');
  return oldest.id;
}

export type StoredDocument = Awaited<ReturnType<typeof documentsAfter>>[number];

/** Documents that must have a file in storage, in id order. */
export function documentsAfter(db: Db, id: string, limit: number) {
  return db
    .select({
      id: documents.id,
      ingestionId: documents.ingestionId,
      storageKey: documents.storageKey,
      bytes: documents.bytes,
      missingAt: documents.bytesMissingAt,
    })
    .from(documents)
    .where(and(isNull(documents.deletedAt), id === '' ? undefined : gt(documents.id, id)))
    .orderBy(asc(documents.id))
    .limit(limit);
}

/**
 * Records that the file of a document is missing or was found again. Skips documents deleted
 * meanwhile.
 */
export function markBytes(
  db: Db,
  { id, ingestionId, bytes }: StoredDocument,
  found: { missing: boolean; bytes: number | null },
): Promise<void> {
  return db.transaction(async (tx) => {
    const [marked] = await tx
      .update(documents)
      .set({ bytesMissingAt: found.missing ? sql`now()` : null })
      .where(and(eq(documents.id, id), isNull(documents.deletedAt)))
      .returning({ id: documents.id });
    if (!marked) return;
    if (found.missing)
      await appendEvent(tx, 'DOCUMENT_BYTES_MISSING', ingestionId, {
        documentId: id,
        expected: bytes,
        found: found.bytes,
      });
    else await appendEvent(tx, 'DOCUMENT_BYTES_FOUND', ingestionId, { documentId: id });
  });
}
