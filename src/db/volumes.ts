import { sql } from 'drizzle-orm';
import { HOUR } from '../lib/time.ts';
import type { Db } from './index.ts';

export type VolumeFile = {
  id: string;
  name: string;
  sha256: string;
  storageKey: string;
  bytes: number;
  mediaType: string | null;
};

export interface Neighbours {
  files: VolumeFile[];
  /** How long ago the latest of them arrived. */
  quietMs: number;
  /** No more files can come: their container is unpacked, or their batch has all its documents. */
  isClosed: boolean;
}

/** Volumes that were uploaded further apart do not belong together. */
const apart = { single: HOUR, batch: 24 * HOUR };

/**
 * Files that came with a document and whose names begin alike: in the same folder of the same
 * container or batch, or uploaded at about the same time.
 */
export async function findNeighbours(
  db: Db,
  { id, batchId }: { id: string; batchId: string | null },
  prefix: string,
): Promise<Neighbours> {
  const apartMs = batchId === null ? apart.single : apart.batch;
  const { rows } = await db.execute<VolumeFile & { ageMs: number; isClosed: boolean }>(sql`
    with own as (select * from documents where id = ${id})
    select d.id, d.name, d.sha256, d.storage_key as "storageKey", d.bytes::float8 as bytes,
           d.media_type as "mediaType",
           (extract(epoch from now() - d.created_at) * 1000)::float8 as "ageMs",
           case when own.parent_id is not null then p.contents is not null
                when own.batch_id is not null then b.sealed_at is not null
                else false end as "isClosed"
      from own
      join documents d on d.workspace_id = own.workspace_id and d.deleted_at is null
       and d.batch_id is not distinct from own.batch_id
       and d.parent_id is not distinct from own.parent_id
       and ${folder('d')} = ${folder('own')}
       and starts_with(lower(d.name), ${prefix})
       and (own.parent_id is not null or d.id between ${bound(id, -apartMs)} and ${bound(id, apartMs)})
      left join documents p on p.id = own.parent_id
      left join batches b on b.id = own.batch_id
     order by abs(extract(epoch from d.created_at - own.created_at)), d.id`);
  return {
    files: rows.map(({ ageMs: _age, isClosed: _closed, ...file }) => file),
    quietMs: Math.min(...rows.map(({ ageMs }) => ageMs)),
    isClosed: rows.some(({ isClosed }) => isClosed),
  };
}

const folder = (table: 'd' | 'own') =>
  sql`coalesce(regexp_replace(${sql.raw(table)}.path, '[^/]*$', ''), '')`;

/** Ids begin with their time in milliseconds, so an index on ids finds what is near in time. */
function bound(id: string, differenceMs: number): string {
  const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) + differenceMs;
  const digits = Math.max(0, time).toString(16).padStart(12, '0');
  const rest = differenceMs < 0 ? '0000-0000-000000000000' : 'ffff-ffff-ffffffffffff';
  return `${digits.slice(0, 8)}-${digits.slice(8)}-${rest}`;
}
