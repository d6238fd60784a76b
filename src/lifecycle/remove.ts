import { findDocument, listIngestions, markDeleted } from '../db/documents.ts';
import { appendEvent } from '../db/events.ts';
import type { Db } from '../db/index.ts';
import { closeDeadLettersOfDocument } from '../engine/dead-letters/index.ts';
import { cancelIngestion, cancelTasks } from '../engine/task/cancel.ts';
import { ConflictError, NotFoundError } from '../errors.ts';
import type { IntakeSettings } from '../intake/intake.ts';
import { describeError } from '../lib/describe-error.ts';
import type { Resources } from '../resources.ts';
import { storageKeys } from '../storage/keys.ts';
import type { Storage } from '../storage/storage.ts';

type Needs = Pick<Resources, 'database' | 'storage' | 'log'>;

export interface RemoveOptions {
  /** The only workspace in which the document is looked for. */
  workspaceId?: string | undefined;
  /** Writes more in the same transaction. */
  record?: (tx: Db, document: { workspaceId: string; name: string }) => Promise<void>;
}

/**
 * Deletes a document: cancels its work in progress and its deliveries and removes its bytes. The
 * row stays for the audit trail.
 */
export async function remove(
  { database: { db }, storage, log }: Needs,
  intake: IntakeSettings,
  id: string,
  { workspaceId, record = async () => undefined }: RemoveOptions = {},
): Promise<void> {
  const document = await findDocument(db, id, workspaceId);
  if (!document) throw notFound(id);
  const { ingestionId, storageKey } = document;
  const hints = await db.transaction(async (tx) => {
    await cancelTasks(tx, ingestionId);
    const admitted = await cancelIngestion(tx, ingestionId, intake);
    if (!(await markDeleted(tx, id, ingestionId))) {
      if (await findDocument(tx, id, workspaceId))
        throw new ConflictError('The document is being reprocessed. Try again.');
      throw notFound(id);
    }
    await closeDeadLettersOfDocument(tx, id, { state: 'discarded' });
    await appendEvent(tx, 'DOCUMENT_DELETED', ingestionId, { documentId: id });
    await record(tx, document);
    return admitted ?? [];
  });
  await intake.announce(hints);
  try {
    await removeObjects(storage, { storageKey, ingestionIds: await listIngestions(db, id) });
  } catch (error) {
    // The document is already deleted; the reconcile-storage job removes its objects.
    log.error(
      { documentId: id, reason: describeError(error) },
      'could not remove the stored objects of a deleted document; reconcile-storage will',
    );
  }
}

/** Removes the original of a document and the artifacts of its runs. */
export async function removeObjects(
  storage: Storage,
  { storageKey, ingestionIds }: { storageKey: string; ingestionIds: readonly string[] },
): Promise<void> {
  await storage.remove(storageKey);
  for (const id of ingestionIds)
    for await (const { key } of storage.list(storageKeys.ingestion(id))) await storage.remove(key);
}

function notFound(id: string): NotFoundError {
  return new NotFoundError(`There is no document ${id}`);
}
