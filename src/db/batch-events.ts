import { setTimeout as sleep } from 'node:timers/promises';
import { and, asc, eq, gt } from 'drizzle-orm';
import { findBatch } from './batches.ts';
import type { Db } from './index.ts';
import { events } from './schema/events.ts';

export type BatchFact = Pick<typeof events.$inferSelect, 'id' | 'at' | 'type' | 'data'>;

const page = 200;
const lookMs = 500;

/**
 * What happens to a batch from an event on, as it happens, until the batch has ended; undefined now and then while
 * nothing does. Nothing is passed over: the events of a batch are numbered in the order of their commits.
 */
export async function* followBatch(
  db: Db,
  batchId: string,
  { after, signal }: { after: number; signal: AbortSignal },
): AsyncGenerator<BatchFact | undefined> {
  let last = after;
  while (!signal.aborted) {
    // Asked first: what was written before the end is then found below.
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
