import { setTimeout as sleep } from 'node:timers/promises';
import { and, asc, eq, gt } from 'drizzle-orm';
import { findBatch } from './batches.ts';
import type { Db } from './index.ts';
import { events } from './schema/events.ts';

export type BatchFact = Pick<typeof events.$inferSelect, 'id' | 'at' | 'type' | 'data'>;

const page = 200;
const lookMs = 500;

/**
 * Yields the events of a batch after a given one as they happen, until the batch has ended; yields
 * undefined regularly while idle. None is skipped: ids of batch events follow commit order.
 */
export async function* followBatch(
  db: Db,
  batchId: string,
  { after, signal }: { after: number; signal: AbortSignal },
): AsyncGenerator<BatchFact | undefined> {
  let last = after;
  while (!signal.aborted) {
    // Read before the events, so that the query below sees everything written before the end.
    const ended = (await findBatch(db, batchId))?.endedAt != null;
    const found = await eventsAfter(db, batchId, last);
    for (const fact of found) {
      yield fact;
      last = fact.id;
    }
    if (found.length === page) continue;
    if (ended) return;
    yield undefined;
    await sleep(lookMs, undefined, { signal }).catch(() => undefined);
  }
}

function eventsAfter(db: Db, batchId: string, after: number): Promise<BatchFact[]> {
  return db
    .select({ id: events.id, at: events.at, type: events.type, data: events.data })
    .from(events)
    .where(and(eq(events.batchId, batchId), gt(events.id, after)))
    .orderBy(asc(events.id))
    .limit(page);
}
