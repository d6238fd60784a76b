import { text } from 'node:stream/consumers';
import type { Db } from '../../db/index.ts';
import { installationId } from '../../db/stored-objects.ts';
import { SetupError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';

const key = 'installation';

/**
 * Makes sure that storage belongs to this database before anything is removed from it: to a new database, or to a
 * second one on the same bucket, every object of the other would look like an orphan.
 */
export async function claimStorage(db: Db, storage: Storage): Promise<void> {
  const own = await installationId(db);
  if ((await storage.put(key, Buffer.from(own), { ifAbsent: true })) === 'stored') return;
  const owner = (await text(await storage.get(key))).trim();
  if (owner === own) return;
  throw new SetupError(
    'Storage is in use by another installation of Millrace; nothing is removed from it.',
    `Give each a bucket or an S3_PREFIX of its own. If the other is gone for good, remove the object "${key}".`,
  );
}
