import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { extname } from 'node:path';
import type { UnpackedEntry } from '../../content/container.ts';
import { listPositions } from '../../db/containers.ts';
import type { StageContext } from '../../engine/pipeline/stage.ts';
import { storageKeys } from '../../storage/keys.ts';
import { cleanFileName } from '../insert-documents.ts';
import { store } from '../store.ts';
import { admitEntries, type Container, type StoredEntry } from './admit-entries.ts';
import { childId } from './child-id.ts';

/**
 * Stores and admits entries, except those an earlier attempt already admitted. Idempotent: ids are
 * derived from the container and the position, so a repetition writes the same objects and rows.
 */
export async function takeEntriesIn(
  {
    database: { db },
    storage,
    signal,
    intake,
  }: Pick<StageContext, 'database' | 'storage' | 'signal' | 'intake'>,
  container: Container,
  entries: readonly UnpackedEntry[],
): Promise<void> {
  const known = await listPositions(db, container.document.id);
  const stored: StoredEntry[] = [];
  for (const entry of entries.filter(({ position }) => !known.has(position))) {
    if (!('path' in entry)) {
      stored.push(entry);
      continue;
    }
    const { position, name, path } = entry;
    const id = childId(container.document.id, position);
    const storageKey = storageKeys.original(id, extname(cleanFileName(name)));
    const body = createReadStream(path);
    const fingerprints = await store(storage, storageKey, body, {
      maxBytes: Number.POSITIVE_INFINITY,
      signal,
    });
    await rm(path);
    stored.push({ position, name, file: { id, storageKey, ...fingerprints } });
  }
  const { hints, unused } = await db.transaction((tx) =>
    admitEntries(tx, container, stored, intake.admission),
  );
  await intake.announce(hints);
  for (const key of unused) await storage.remove(key);
}
