import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '../db/index.ts';
import { batchItems } from '../db/schema/batch-items.ts';
import { documents } from '../db/schema/documents.ts';
import { ConflictError } from '../errors.ts';

export interface RepeatScope {
  workspaceId: string;
  batchId: string | null;
}

/** Maps idempotency keys to the documents that earlier requests with the same key returned. */
export async function findRepeated(
  tx: Db,
  { workspaceId, batchId }: RepeatScope,
  keys: readonly string[],
): Promise<Map<string | null, string | null>> {
  if (keys.length === 0) return new Map();
  const made = await tx
    .select({ key: documents.idempotencyKey, documentId: documents.id, batchId: documents.batchId })
    .from(documents)
    .where(
      and(eq(documents.workspaceId, workspaceId), inArray(documents.idempotencyKey, [...keys])),
    );
  if (made.some((document) => document.batchId !== batchId))
    throw new ConflictError('The Idempotency-Key was used for a document of another batch.');
  const noted = batchId === null ? [] : await findNoted(tx, batchId, keys);
  return new Map([...noted, ...made].map(({ key, documentId }) => [key, documentId]));
}

/** Requests that did not create a document of their own. */
function findNoted(tx: Db, batchId: string, keys: readonly string[]) {
  return tx
    .select({ key: batchItems.idempotencyKey, documentId: batchItems.documentId })
    .from(batchItems)
    .where(and(eq(batchItems.batchId, batchId), inArray(batchItems.idempotencyKey, [...keys])));
}
