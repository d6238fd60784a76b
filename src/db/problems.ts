import { eq, type SQL, sql } from 'drizzle-orm';
import type { Problem } from '../domain/problem.ts';
import { appendEvent } from './events.ts';
import type { Db } from './index.ts';
import { ingestions } from './schema/ingestions.ts';

interface Subject {
  /** Of the document. */
  id: string;
  /** Its current run, with the problems that are already recorded. */
  ingestion: { id: string; problems: readonly Problem[] };
}

/** Appends a problem to those of an ingestion. */
export function problemsWith(problem: Problem): SQL {
  return sql`${ingestions.problems} || ${JSON.stringify([problem])}::jsonb`;
}

/** Records that a document is processed in a reduced way, and announces it. */
export async function recordProblem(tx: Db, document: Subject, problem: Problem): Promise<void> {
  await tx
    .update(ingestions)
    .set({ problems: problemsWith(problem) })
    .where(eq(ingestions.id, document.ingestion.id));
  await warn(tx, document, [problem]);
}

/** Appends a WARNING event for each problem that is new. */
export async function warn(
  tx: Db,
  { id: documentId, ingestion }: Subject,
  problems: readonly Problem[],
): Promise<void> {
  const known = new Set(ingestion.problems.map(textOf));
  for (const problem of problems.filter((each) => !known.has(textOf(each))))
    await appendEvent(tx, 'WARNING', ingestion.id, {
      code: problem.code,
      message: problem.message,
      documentId,
    });
}

const textOf = ({ code, message }: Problem): string => `${code} ${message}`;
