import { cursorOf, moveCursor } from '../../db/job-cursors.ts';
import { type OwnerKind, ownersToKeep, timeBefore } from '../../db/stored-objects.ts';
import type { Resources } from '../../resources.ts';
import { ownerOf } from '../../storage/keys.ts';
import type { Storage, StoredObject } from '../../storage/storage.ts';
import { claimStorage } from './claim.ts';

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
    const objects = await pageOf(storage, `${kind}/`, await cursorOf(db, cursor), limit);
    const old = objects.filter(({ modified }) => modified < before);
    const keep = await ownersToKeep(
      db,
      kind,
      [...new Set(old.flatMap(({ key }) => ownerOf(key) ?? []))],
      graceMs,
    );
    for (const { key } of old) {
      const owner = ownerOf(key);
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
