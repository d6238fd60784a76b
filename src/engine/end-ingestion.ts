import { and, eq, sql } from 'drizzle-orm';
import { appendEvent } from '../db/events.ts';
import type { Db } from '../db/index.ts';
import { ingestions } from '../db/schema/ingestions.ts';
import type { Problem } from '../domain/problem.ts';

export interface Ending {
  status: 'completed' | 'failed' | 'cancelled';
  /** Why it failed. */
  problem?: Problem;
  stage?: string;
  attempts?: number;
}

/** The one place where an ingestion ends, in the caller's transaction. False when it had ended before. */
export async function endIngestion(
  tx: Db,
  ingestionId: string,
  { status, problem, stage, attempts }: Ending,
): Promise<boolean> {
  const [ended] = await tx
    .update(ingestions)
    .set({
      status,
      completedAt: sql`now()`,
      ...(attempts !== undefined && { attemptCount: attempts }),
      ...(problem && { problems: sql`${ingestions.problems} || ${JSON.stringify([problem])}::jsonb` }),
    })
    .where(and(eq(ingestions.id, ingestionId), eq(ingestions.status, 'in-progress')))
    .returning({ documentId: ingestions.documentId });
  if (!ended) return false;
  await appendEvent(tx, 'DOCUMENT_PROCESSED', ingestionId, {
    documentId: ended.documentId,
    status,
    ...(problem && { code: problem.code }),
    ...(stage && { stage }),
  });
  return true;
}
