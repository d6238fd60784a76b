import { and, eq } from 'drizzle-orm';
import type { Db } from '../db/index.ts';
import { batchItems } from '../db/schema/batch-items.ts';
import { documents } from '../db/schema/documents.ts';
import { ConflictError } from '../errors.ts';

interface Named {
  workspaceId: string;
  batchId: string | null;
  idempotencyKey: string | null;
}

/** The document that an earlier request of the same name was answered with. */
export async function findRepeated(
  tx: Db,
  { workspaceId, batchId, idempotencyKey }: Named,
): Promise<string | undefined> {
  if (idempotencyKey === null) return undefined;
  const [document] = await tx
    .select({ id: documents.id, batchId: documents.batchId })
    .from(documents)
    .where(and(eq(documents.workspaceId, workspaceId), eq(documents.idempotencyKey, idempotencyKey)));
  if (document && document.batchId !== batchId)
    throw new ConflictError('The Idempotency-Key was used for a document of another batch.');
  if (document || batchId === null) return document?.id;
  const [item] = await tx
    .select({ documentId: batchItems.documentId })
    .from(batchItems)
    .where(and(eq(batchItems.batchId, batchId), eq(batchItems.idempotencyKey, idempotencyKey)));
  return item?.documentId ?? undefined;
}
