import type { Batch } from '../../db/batches.ts';
import type { Db } from '../../db/index.ts';
import { isPassing } from '../../db/outage.ts';
import { StorageUnavailableError } from '../../errors.ts';
import type { Intake } from '../../intake/intake.ts';
import { type Uploaded, upload } from '../../intake/upload.ts';
import { describeError } from '../../lib/describe-error.ts';
import type { Resources } from '../../resources.ts';
import { storageKeys } from '../../storage/keys.ts';
import { batchActions } from './actions.ts';
import { changeBatch } from './change.ts';

export type Imported = Record<Uploaded['outcome'] | 'failed', number>;

/**
 * Imports the objects under a prefix of the workspace's own part of the bucket. Idempotent: a
 * repeated import takes each object only once. An object that cannot be read is recorded as an
 * exception of the batch.
 */
export async function importPrefix(
  resources: Pick<Resources, 'database' | 'storage'>,
  intake: Intake,
  { id: batchId, workspaceId }: Batch,
  prefix: string,
): Promise<Imported> {
  const imported: Imported = { added: 0, duplicate: 0, repeated: 0, failed: 0 };
  const { storage, database } = resources;
  const inbox = storageKeys.inbox(workspaceId);
  for await (const { key } of storage.list(inbox + prefix)) {
    const name = key.slice(inbox.length);
    try {
      const body = await storage.get(key);
      const idempotencyKey = `import ${batchId} ${key}`;
      const { outcome } = await upload(resources, intake, {
        workspaceId,
        batchId,
        name,
        idempotencyKey,
        body,
      });
      imported[outcome] += 1;
    } catch (error) {
      // Nothing is wrong with the object: the caller repeats the import.
      if (error instanceof StorageUnavailableError || isPassing(error)) throw error;
      const item = { kind: 'exception', name, reason: describeError(error) } as const;
      const note = (tx: Db, batch: Batch) => batchActions.note(tx, batch, item);
      const { hints } = await changeBatch(database.db, { id: batchId }, intake, note);
      await intake.announce(hints);
      imported.failed += 1;
    }
  }
  return imported;
}
