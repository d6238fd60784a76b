import { eq, type SQL, sql } from 'drizzle-orm';
import type { Problem } from '../domain/problem.ts';
import type { Db } from './index.ts';
import { ingestions } from './schema/ingestions.ts';

/** Appends a problem to those of an ingestion. */
export function problemsWith(problem: Problem): SQL {
  return sql`${ingestions.problems} || ${JSON.stringify([problem])}::jsonb`;
}

export async function recordProblem(tx: Db, ingestionId: string, problem: Problem): Promise<void> {
  await tx
    .update(ingestions)
    .set({ problems: problemsWith(problem) })
    .where(eq(ingestions.id, ingestionId));
}
