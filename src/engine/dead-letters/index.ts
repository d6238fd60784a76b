import { and, count, desc, eq, inArray, isNull, lt, max, min, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../db/index.ts';
import { deadLetters } from '../../db/schema/dead-letters.ts';
import { documents } from '../../db/schema/documents.ts';
import { ingestions } from '../../db/schema/ingestions.ts';
import type { LetterFilters } from '../../domain/letter-filters.ts';
import { letterWorkspace, toConditions } from './conditions.ts';

export type DeadLetter = Awaited<ReturnType<typeof selectLetters>>[number];

export interface LetterListing {
  workspaceId: string | undefined;
  filters?: LetterFilters | undefined;
  state?: DeadLetter['state'] | undefined;
  /** Cursor: only letters older than this one. */
  before?: string | undefined;
  limit: number;
}

/** Letters in one state (default: open), newest first. */
export function listDeadLetters(db: Db, listing: LetterListing): Promise<DeadLetter[]> {
  const { workspaceId, filters = {}, state = 'open', before, limit } = listing;
  const older = before === undefined ? undefined : lt(deadLetters.id, before);
  const conditions = and(
    eq(deadLetters.state, state),
    inWorkspace(workspaceId),
    toConditions(filters),
    older,
  );
  return selectLetters(db, conditions, limit);
}

/** Open letters grouped by kind, largest group first, each with an example. */
export function groupDeadLetters(
  db: Db,
  workspaceId: string | undefined,
  filters: LetterFilters,
  limit: number,
) {
  const letters = count();
  return db
    .select({
      fingerprint: deadLetters.fingerprint,
      stage: deadLetters.stage,
      code: deadLetters.code,
      count: letters,
      firstSeen: min(deadLetters.firstSeen),
      lastSeen: max(deadLetters.lastSeen),
      /** The latest letter; ids are ordered by time. */
      exampleId: sql<string>`(array_agg(${deadLetters.id} order by ${deadLetters.id} desc))[1]`,
      exampleMessage: sql<string>`(array_agg(${deadLetters.message} order by ${deadLetters.id} desc))[1]`,
    })
    .from(deadLetters)
    .leftJoin(ingestions, eq(ingestions.id, deadLetters.ingestionId))
    .leftJoin(documents, eq(documents.id, ingestions.documentId))
    .where(openAnd(workspaceId, filters))
    .groupBy(deadLetters.fingerprint, deadLetters.stage, deadLetters.code)
    .orderBy(desc(letters), deadLetters.fingerprint)
    .limit(limit);
}

export async function countFitting(
  db: Db,
  workspaceId: string | undefined,
  filters: LetterFilters,
): Promise<number> {
  const [row] = await db
    .select({ letters: count() })
    .from(deadLetters)
    .leftJoin(ingestions, eq(ingestions.id, deadLetters.ingestionId))
    .leftJoin(documents, eq(documents.id, ingestions.documentId))
    .where(openAnd(workspaceId, filters));
  return row?.letters ?? 0;
}

export function countDeadLetters(db: Db) {
  return db
    .select({ stage: deadLetters.stage, code: deadLetters.code, count: count() })
    .from(deadLetters)
    .where(eq(deadLetters.state, 'open'))
    .groupBy(deadLetters.stage, deadLetters.code);
}

export async function findDeadLetter(
  db: Db,
  id: string,
  workspaceId?: string,
): Promise<DeadLetter | undefined> {
  const [letter] = await selectLetters(
    db,
    and(eq(deadLetters.id, id), inWorkspace(workspaceId)),
    1,
  );
  return letter;
}

/** Of two transactions that act on the same letter, the second one waits. */
export async function lockDeadLetter(tx: Db, id: string): Promise<void> {
  await tx
    .select({ id: deadLetters.id })
    .from(deadLetters)
    .where(eq(deadLetters.id, id))
    .for('update');
}

/** False if it was already closed. */
export async function discardDeadLetter(db: Db, id: string): Promise<boolean> {
  const discarded = await db
    .update(deadLetters)
    .set({ state: 'discarded', closedAt: sql`now()` })
    .where(and(eq(deadLetters.id, id), eq(deadLetters.state, 'open')))
    .returning({ id: deadLetters.id });
  return discarded.length > 0;
}

type Closing = { state: 'replayed'; replayedAs: string } | { state: 'discarded' };

/** A new run of the document, or its removal, resolves all its open letters. */
export async function closeDeadLettersOfDocument(
  tx: Db,
  documentId: string,
  closing: Closing,
): Promise<void> {
  const runs = tx
    .select({ id: ingestions.id })
    .from(ingestions)
    .where(eq(ingestions.documentId, documentId));
  await tx
    .update(deadLetters)
    .set({ ...closing, closedAt: sql`now()` })
    .where(and(eq(deadLetters.state, 'open'), inArray(deadLetters.ingestionId, runs)));
}

/** Closes the letter of a task that was replaced by another one. */
export async function closeDeadLetterOfTask(
  tx: Db,
  taskId: string,
  replayedAs: string,
): Promise<void> {
  await tx
    .update(deadLetters)
    .set({ state: 'replayed', replayedAs, closedAt: sql`now()` })
    .where(and(eq(deadLetters.state, 'open'), eq(deadLetters.taskId, taskId)));
}

function openAnd(workspaceId: string | undefined, filters: LetterFilters): SQL | undefined {
  return and(
    eq(deadLetters.state, 'open'),
    isNull(documents.deletedAt),
    inWorkspace(workspaceId),
    toConditions(filters),
  );
}

function inWorkspace(workspaceId: string | undefined): SQL | undefined {
  return workspaceId === undefined ? undefined : eq(letterWorkspace, workspaceId);
}

function selectLetters(db: Db, where: SQL | undefined, limit: number) {
  return db
    .select({
      id: deadLetters.id,
      /** What the task worked on. The members of the document are null for other kinds. */
      subject: sql<{
        kind: string;
        id: string;
      }>`jsonb_build_object('kind', ${deadLetters.subjectKind}, 'id', coalesce(${deadLetters.ingestionId}, ${deadLetters.subjectId}))`,
      documentId: documents.id,
      documentName: documents.name,
      documentPath: documents.path,
      workspaceId: letterWorkspace,
      batchId: documents.batchId,
      ingestionId: deadLetters.ingestionId,
      taskId: deadLetters.taskId,
      stage: deadLetters.stage,
      code: deadLetters.code,
      category: deadLetters.category,
      message: deadLetters.message,
      stack: deadLetters.stack,
      fingerprint: deadLetters.fingerprint,
      attempts: deadLetters.attempts,
      worker: deadLetters.worker,
      payload: deadLetters.payload,
      state: deadLetters.state,
      replayedAs: deadLetters.replayedAs,
      firstSeen: deadLetters.firstSeen,
      lastSeen: deadLetters.lastSeen,
      closedAt: deadLetters.closedAt,
    })
    .from(deadLetters)
    .leftJoin(ingestions, eq(ingestions.id, deadLetters.ingestionId))
    .leftJoin(documents, eq(documents.id, ingestions.documentId))
    .where(and(isNull(documents.deletedAt), where))
    .orderBy(desc(deadLetters.id))
    .limit(limit);
}
