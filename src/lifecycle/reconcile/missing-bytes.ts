import { cursorOf, moveCursor } from '../../db/job-cursors.ts';
import { documentsAfter, markBytes, type StoredDocument } from '../../db/stored-objects.ts';
import type { Resources } from '../../resources.ts';

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
  const page = await documentsAfter(db, await cursorOf(db, cursor), limit);
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
