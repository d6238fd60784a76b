import { count, type SQL } from 'drizzle-orm';
import type { ItemKind, Ledger } from '../domain/batch-ledger.ts';
import type { Db } from './index.ts';
import { batchItems } from './schema/batch-items.ts';
import { documents } from './schema/documents.ts';

/** Counts rows instead of reading the counters, because the ledger exists to verify those. */
export async function countLedger(
  db: Db,
  seen: number,
  own: { documents: SQL; items: SQL },
): Promise<Ledger> {
  const [found] = await db.select({ documents: count() }).from(documents).where(own.documents);
  const kinds = await db
    .select({ kind: batchItems.kind, items: count() })
    .from(batchItems)
    .where(own.items)
    .groupBy(batchItems.kind);
  const of = (kind: ItemKind) => kinds.find((each) => each.kind === kind)?.items ?? 0;
  return {
    seen,
    documents: found?.documents ?? 0,
    duplicate: of('duplicate'),
    known: of('known'),
    skipped: of('skipped'),
    exception: of('exception'),
  };
}
