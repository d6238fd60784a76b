import { eq, sql } from 'drizzle-orm';
import type { Contents, Ledger } from '../domain/batch-ledger.ts';
import type { Db } from './index.ts';
import { countLedger } from './ledger.ts';
import { batchItems } from './schema/batch-items.ts';
import { documents } from './schema/documents.ts';
import { families } from './schema/families.ts';

export interface Family {
  /** The uploaded file that contains all the others. */
  rootId: string;
  /** Number of containers around this one. */
  depth: number;
  /** SHA-256 of this container and those around it. */
  hashes: string[];
  /** Entries of other containers in the root so far. */
  entries: number;
  /** Bytes of all entries in the root so far, including those of this container. */
  bytes: number;
}

/** The position of a container in its family. */
export async function readFamily(db: Db, id: string): Promise<Family> {
  const { rows } = await db.execute<{ root: string; depth: number; hashes: string[] }>(sql`
    with recursive line as (
      select id, parent_id, sha256, 0 as depth from documents where id = ${id}
      union all
      select d.id, d.parent_id, d.sha256, line.depth + 1 from documents d join line on d.id = line.parent_id)
    select (array_agg(id order by depth desc))[1] as root, max(depth)::int as depth, array_agg(sha256) as hashes from line`);
  const { root: rootId = id, depth = 0, hashes = [] } = rows[0] ?? {};
  const { rows: found } = await db.execute<{ entries: number; bytes: number }>(sql`
    select f.entries - count(d.id)::int as entries, f.bytes::float8 as bytes
      from families f left join documents d on d.parent_id = ${id}
     where f.root_id = ${rootId} group by f.root_id`);
  const { entries = 0, bytes = 0 } = found[0] ?? {};
  return { rootId, depth, hashes, entries, bytes };
}

/** Adds documents found in a container. The caller must hold the workspace lock. */
export async function addToFamily(
  tx: Db,
  rootId: string,
  found: { entries: number; bytes: number },
): Promise<void> {
  const { entries, bytes } = families;
  await tx
    .insert(families)
    .values({ rootId, ...found })
    .onConflictDoUpdate({
      target: families.rootId,
      set: { entries: sql`${entries} + ${found.entries}`, bytes: sql`${bytes} + ${found.bytes}` },
    });
}

/** The documents found in a container. */
/** With their paths in the container. */
export function listChildren(db: Db, containerId: string): Promise<{ id: string; path: string }[]> {
  return db
    .select({ id: documents.id, path: sql<string>`coalesce(${documents.path}, ${documents.name})` })
    .from(documents)
    .where(eq(documents.parentId, containerId))
    .orderBy(documents.position);
}

/** Which of these positions are already documents or recorded items. */
export async function listTaken(
  db: Db,
  containerId: string,
  positions: readonly number[],
): Promise<Set<number>> {
  const asked = sql`any(${sql.param(positions)}::int[])`;
  const { rows } = await db.execute<{ position: number }>(sql`
    select position from documents where parent_id = ${containerId} and position = ${asked}
    union all
    select position from batch_items where container_id = ${containerId} and position = ${asked}`);
  return new Set(rows.map(({ position }) => position));
}

/** How many leading positions of a container are documents or recorded items. */
export async function countTaken(db: Db, containerId: string): Promise<number> {
  const { rows } = await db.execute<{ taken: number }>(sql`
    with taken as (
      select position from documents where parent_id = ${containerId}
      union all select position from batch_items where container_id = ${containerId})
    select count(*)::int as taken from (
      select position, row_number() over (order by position) - 1 as n from taken) numbered
     where position = n`);
  return rows[0]?.taken ?? 0;
}

/**
 * Removes exceptions that earlier ingestions recorded: what was encrypted or beyond a limit may be
 * unpacked now. The ledger of the container is open again then. Returns their number.
 */
export async function removeOldExceptions(
  tx: Db,
  containerId: string,
  ingestionId: string,
): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    delete from batch_items where container_id = ${containerId} and kind = 'exception'
       and created_at < (select created_at from ingestions where id = ${ingestionId})`);
  if (rowCount) await saveContents(tx, containerId, null);
  return rowCount ?? 0;
}

/** The ledger of a container, counted from rows. */
export function countContents(db: Db, containerId: string, seen: number): Promise<Ledger> {
  const items = eq(batchItems.containerId, containerId);
  return countLedger(db, seen, { documents: eq(documents.parentId, containerId), items });
}

/** Null while the container is being unpacked again. */
export async function saveContents(tx: Db, id: string, contents: Contents | null): Promise<void> {
  await tx.update(documents).set({ contents }).where(eq(documents.id, id));
}

/** Totals over all containers of a batch. */
export async function contentsInBatch(
  db: Db,
  batchId: string,
): Promise<Record<keyof Ledger | 'containers', number>> {
  const of = (name: keyof Ledger) => sql`coalesce(sum((contents->>${name})::int), 0)::int`;
  const { rows } = await db.execute<Record<keyof Ledger | 'containers', number>>(sql`
    select count(*)::int as containers, ${of('seen')} as seen, ${of('documents')} as documents,
           ${of('duplicate')} as duplicate, ${of('known')} as known, ${of('skipped')} as skipped,
           ${of('exception')} as exception
      from documents where batch_id = ${batchId} and contents is not null`);
  const [found] = rows;
  if (!found) throw new Error('The aggregate query returned no row');
  return found;
}
