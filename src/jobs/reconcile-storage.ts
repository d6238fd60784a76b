import { text } from 'node:stream/consumers';
import type { Db } from '../db/index.ts';
import { moveCursor, readCursor } from '../db/job-cursors.ts';
import {
  documentsAfter,
  installationId,
  markBytes,
  type OwnerKind,
  ownersToKeep,
  type StoredDocument,
  timeBefore,
} from '../db/stored-objects.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { SetupError } from '../errors.ts';
import { MINUTE } from '../lib/time.ts';
import type { Resources } from '../resources.ts';
import { parseOwner } from '../storage/keys.ts';
import type { Storage, StoredObject } from '../storage/storage.ts';

const limit = 5000;

/** Compares storage with the database, a page per pass: removes orphans, reports missing bytes. */
export const reconcileStorage: IntervalJob = {
  everyMs: 15 * MINUTE,
  async run({ log, storageGraceMs: graceMs, ...needs }) {
    const { missing, found } = await findMissingBytes(needs, { limit });
    if (missing > 0)
      log.error(
        { documents: missing },
        'the stored bytes of some documents are missing or incomplete',
      );
    return { missing, found, removed: await removeOrphans(needs, { graceMs, limit }) };
  },
};

const key = 'installation';

/**
 * Checks that storage belongs to this database before anything is removed: to a new database, or to
 * a second one on the same bucket, every object of the other would look like an orphan.
 */
export async function claimStorage(db: Db, storage: Storage): Promise<void> {
  const own = await installationId(db);
  if ((await storage.put(key, Buffer.from(own), { ifAbsent: true })) === 'stored') return;
  const owner = (await text(await storage.get(key))).trim();
  if (owner === own) return;
  throw new SetupError(
    'Storage is in use by another installation of Millrace. Nothing was removed from it.',
    `Give each installation its own bucket or S3_PREFIX. If the other one no longer exists, remove the object "${key}".`,
  );
}

type Needs = Pick<Resources, 'database' | 'storage'>;

const cursor = 'documents with bytes';
const atOnce = 20;

/** Checks whether documents still have their bytes. The next pass continues after this page. */
export async function findMissingBytes(
  needs: Needs,
  { limit }: { limit: number },
): Promise<{ checked: number; missing: number; found: number }> {
  const { db } = needs.database;
  const page = await documentsAfter(db, await readCursor(db, cursor), limit);
  const changes: ('missing' | 'found' | undefined)[] = [];
  for (let i = 0; i < page.length; i += atOnce)
    changes.push(
      ...(await Promise.all(page.slice(i, i + atOnce).map((document) => check(needs, document)))),
    );
  await moveCursor(db, cursor, page.length < limit ? '' : (page.at(-1)?.id ?? ''));
  const count = (of: 'missing' | 'found') => changes.filter((change) => change === of).length;
  return { checked: page.length, missing: count('missing'), found: count('found') };
}

/** The change since the last check, if any. */
async function check(
  { database: { db }, storage }: Needs,
  document: StoredDocument,
): Promise<'missing' | 'found' | undefined> {
  const object = await storage.head(document.storageKey);
  const missing = object?.bytes !== document.bytes;
  if (missing === (document.missingAt !== null)) return undefined;
  await markBytes(db, document, { missing, bytes: object?.bytes ?? null });
  return missing ? 'missing' : 'found';
}

export interface OrphanOptions {
  /** Younger ones may be uploads in progress, or documents that were deleted by mistake. */
  graceMs: number;
  /** Objects of each kind per pass. The next pass continues from there. */
  limit: number;
}

const kinds: OwnerKind[] = ['documents', 'ingestions'];

/** Removes objects without a document: those of deleted documents and of uploads that failed. */
export async function removeOrphans(
  { database: { db }, storage }: Pick<Resources, 'database' | 'storage'>,
  { graceMs, limit }: OrphanOptions,
): Promise<number> {
  await claimStorage(db, storage);
  const before = await timeBefore(db, graceMs);
  let removed = 0;
  for (const kind of kinds) {
    const cursor = `storage ${kind}`;
    const objects = await pageOf(storage, `${kind}/`, await readCursor(db, cursor), limit);
    const old = objects.filter(({ modified }) => modified < before);
    const keep = await ownersToKeep(
      db,
      kind,
      [...new Set(old.flatMap(({ key }) => parseOwner(key) ?? []))],
      graceMs,
    );
    for (const { key } of old) {
      const owner = parseOwner(key);
      // A key with an unknown format was not written by Millrace and is left alone.
      if (owner === undefined || keep.has(owner)) continue;
      await storage.remove(key);
      removed += 1;
    }
    await moveCursor(db, cursor, objects.length < limit ? '' : (objects.at(-1)?.key ?? ''));
  }
  return removed;
}

async function pageOf(
  storage: Storage,
  prefix: string,
  after: string,
  limit: number,
): Promise<StoredObject[]> {
  const page: StoredObject[] = [];
  for await (const object of storage.list(prefix, after)) {
    page.push(object);
    if (page.length === limit) break;
  }
  return page;
}
