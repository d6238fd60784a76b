import { and, desc, eq, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/index.ts';
import { deadLetters } from '../db/schema/dead-letters.ts';
import { documents } from '../db/schema/documents.ts';
import { ingestions } from '../db/schema/ingestions.ts';

export type DeadLetter = Awaited<ReturnType<typeof selectLetters>>[number];

export interface LetterListing {
  workspaceId: string | undefined;
  /** Letters older than this one. */
  before?: string | undefined;
  limit: number;
}

/** The open ones, newest first. */
export function listDeadLetters(db: Db, { workspaceId, before, limit }: LetterListing): Promise<DeadLetter[]> {
  const older = before === undefined ? undefined : lt(deadLetters.id, before);
  return selectLetters(db, and(eq(deadLetters.state, 'open'), inWorkspace(workspaceId), older), limit);
}

export async function findDeadLetter(db: Db, id: string, workspaceId?: string): Promise<DeadLetter | undefined> {
  const [letter] = await selectLetters(db, and(eq(deadLetters.id, id), inWorkspace(workspaceId)), 1);
  return letter;
}

/** False when it was closed already. */
export async function discardDeadLetter(db: Db, id: string): Promise<boolean> {
  const discarded = await db
    .update(deadLetters)
    .set({ state: 'discarded', closedAt: sql`now()` })
    .where(and(eq(deadLetters.id, id), eq(deadLetters.state, 'open')))
    .returning({ id: deadLetters.id });
  return discarded.length > 0;
}

type Closing = { state: 'replayed'; replayedAs: string } | { state: 'discarded' };

/** A new run of the document, or its removal, answers everything that is open about it. */
export async function closeDeadLettersOf(tx: Db, documentId: string, closing: Closing): Promise<void> {
  const runs = tx.select({ id: ingestions.id }).from(ingestions).where(eq(ingestions.documentId, documentId));
  await tx
    .update(deadLetters)
    .set({ ...closing, closedAt: sql`now()` })
    .where(and(eq(deadLetters.state, 'open'), inArray(deadLetters.ingestionId, runs)));
}

/** Another task answers for what this one could not do. */
export async function closeDeadLetterOf(tx: Db, taskId: string, replayedAs: string): Promise<void> {
  await tx
    .update(deadLetters)
    .set({ state: 'replayed', replayedAs, closedAt: sql`now()` })
    .where(and(eq(deadLetters.state, 'open'), eq(deadLetters.taskId, taskId)));
}

function inWorkspace(workspaceId: string | undefined): SQL | undefined {
  return workspaceId === undefined ? undefined : eq(documents.workspaceId, workspaceId);
}

function selectLetters(db: Db, where: SQL | undefined, limit: number) {
  return db
    .select({
      id: deadLetters.id,
      documentId: documents.id,
      documentName: documents.name,
      workspaceId: documents.workspaceId,
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
      state: deadLetters.state,
      replayedAs: deadLetters.replayedAs,
      firstSeen: deadLetters.firstSeen,
      lastSeen: deadLetters.lastSeen,
      closedAt: deadLetters.closedAt,
    })
    .from(deadLetters)
    .innerJoin(ingestions, eq(ingestions.id, deadLetters.ingestionId))
    .innerJoin(documents, eq(documents.id, ingestions.documentId))
    .where(and(isNull(documents.deletedAt), where))
    .orderBy(desc(deadLetters.id))
    .limit(limit);
}
