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

/** Compares storage with the tables, a piece of both at a time: what nobody needs is removed, what is missing is told. */
export const reconcileStorage: IntervalJob = {
  everyMs: 15 * MINUTE,
  async run({ log, storageGraceMs: graceMs, ...needs }) {
    const { missing, found } = await findMissingBytes(needs, { limit });
    if (missing > 0) log.error({ documents: missing }, 'bytes of documents are missing in storage');
    return { missing, found, removed: await removeOrphans(needs, { graceMs, limit }) };
  },
};

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

type Needs = Pick<Resources, 'database' | 'storage'>;

const cursor = 'documents with bytes';
/** Asked about at once. */
const atOnce = 20;

/** Looks whether documents still have their bytes, so many in a pass; the next goes on behind them. */
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

/** What is new about it; undefined where it is as it was. */
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
  /** What is younger may be an upload that is not a document yet, or one that somebody deleted by mistake. */
  graceMs: number;
  /** So many objects of each kind are looked at in a pass; the next goes on behind them. */
  limit: number;
}

const kinds: OwnerKind[] = ['documents', 'ingestions'];

/** Removes objects that belong to no document: of deleted ones, and of uploads that came to nothing. */
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
      // A key that is none of ours was put there by somebody: it is not for us to remove.
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
