import { and, asc, eq, gt, inArray, lte } from 'drizzle-orm';
import type { Db } from '../../db/index.ts';
import { batches } from '../../db/schema/batches.ts';
import { deadLetters } from '../../db/schema/dead-letters.ts';
import { ingestions } from '../../db/schema/ingestions.ts';

/**
 * Open dead letters of a batch that another run may cure: what was rejected for good is not among them. `ofPass` leaves
 * out what died again since the pass under way began; that is for the next one.
 */
export function retryableLetters(
  db: Db,
  batchId: string,
  { limit, ofPass, after }: { limit: number; ofPass?: boolean; after?: string | undefined },
) {
  return db
    .select({ id: deadLetters.id })
    .from(ingestions)
    .innerJoin(deadLetters, eq(deadLetters.ingestionId, ingestions.id))
    .innerJoin(batches, eq(batches.id, ingestions.batchId))
    .where(
      and(
        eq(ingestions.batchId, batchId),
        eq(ingestions.status, 'failed'),
        eq(deadLetters.state, 'open'),
        inArray(deadLetters.category, ['exhausted', 'gave-up', 'lost']),
        ofPass ? lte(deadLetters.firstSeen, batches.redriveAt) : undefined,
        after ? gt(deadLetters.id, after) : undefined,
      ),
    )
    .orderBy(asc(deadLetters.id))
    .limit(limit);
}
