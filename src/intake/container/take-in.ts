import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { HandedEntry } from '../../content/container.ts';
import { listTaken } from '../../db/containers.ts';
import type { StageContext } from '../../engine/pipeline/stage.ts';
import { allOrNone } from '../../lib/all-or-none.ts';
import { overlay } from '../../lib/overlay.ts';
import { storageKeys } from '../../storage/keys.ts';
import { cleanFileName } from '../file-names.ts';
import { store } from '../store.ts';
import { admitEntries, type Container, type StoredEntry } from './admit-entries.ts';
import { childId } from './child-id.ts';

type Context = Pick<StageContext, 'database' | 'storage' | 'signal' | 'intake'>;

/**
 * Stores and admits entries, except those an earlier attempt already admitted, and removes their
 * files. Idempotent: ids are derived from the container and the position, so a repetition writes
 * the same objects and rows. Returns the number of new entries.
 */
export async function takeEntriesIn(
  context: Context,
  container: Container,
  { directory, entries }: { directory: string; entries: readonly HandedEntry[] },
): Promise<number> {
  const {
    database: { db },
    storage,
    intake,
  } = context;
  const positions = entries.map(({ position }) => position);
  const known = await listTaken(db, container.document.id, positions);
  const stored: StoredEntry[] = [];
  const fresh = entries.filter(({ position }) => !known.has(position));
  for (let from = 0; from < fresh.length; from += storedAtOnce) {
    const some = fresh.slice(from, from + storedAtOnce);
    const jobs = some.map((entry) => (signal: AbortSignal) => {
      const path = join(directory, String(entry.position));
      return storeEntry(overlay(context, { signal }), container.document.id, entry, path);
    });
    stored.push(...(await allOrNone(jobs, context.signal)));
  }
  const { hints, unused } = await db.transaction((tx) =>
    admitEntries(tx, container, stored, intake.admission),
  );
  await intake.announce(hints);
  for (const key of unused) await storage.remove(key);
  for (const position of positions) await rm(join(directory, String(position)), { force: true });
  return fresh.length;
}

const storedAtOnce = 8;

async function storeEntry(
  { storage, signal }: Pick<Context, 'storage' | 'signal'>,
  containerId: string,
  entry: HandedEntry,
  path: string,
): Promise<StoredEntry> {
  if (!('bytes' in entry)) return entry;
  const { position, name } = entry;
  const id = childId(containerId, position);
  const storageKey = storageKeys.original(id, extname(cleanFileName(name)));
  // The child may have been taken over: a link in place of the file is not followed.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  const fingerprints = await store(storage, storageKey, file.createReadStream(), {
    maxBytes: Number.POSITIVE_INFINITY,
    signal,
  });
  return { position, name, file: { id, storageKey, ...fingerprints } };
}
