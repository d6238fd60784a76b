import { and, eq, sql } from 'drizzle-orm';
import { events } from '../db/schema/events.ts';
import { ingestions } from '../db/schema/ingestions.ts';
import { done } from '../engine/outcome.ts';
import { defineStage } from '../engine/stage.ts';
import { MINUTE } from '../lib/time.ts';

/** Ends the ingestion. A trigger carries its result to the document. */
export const finalize = defineStage({
  concurrency: 20,
  timeoutMs: 5 * MINUTE,
  async run({ id: documentId, ingestion: { id } }) {
    return done('finalized', async (tx) => {
      const running = and(eq(ingestions.id, id), eq(ingestions.status, 'in-progress'));
      await tx.update(ingestions).set({ status: 'completed', completedAt: sql`now()` }).where(running);
      const data = { documentId, status: 'completed' };
      await tx.insert(events).values({ type: 'DOCUMENT_PROCESSED', ingestionId: id, data });
    });
  },
});
