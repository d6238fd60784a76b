import { sql } from 'drizzle-orm';
import type { EventData, EventType } from '../domain/event.ts';
import type { Db } from './index.ts';
import { events } from './schema/events.ts';

/** Appends an event in the transaction that makes the change. */
export async function appendEvent<Type extends EventType>(
  tx: Db,
  type: Type,
  ingestionId: string | null,
  data: EventData<Type>,
  batchId: string | null = null,
): Promise<void> {
  await tx.insert(events).values({ type, ingestionId, batchId, data });
}

/** A position in the event log: everything up to it has been read. */
export interface Position {
  xid: string;
  id: number;
}

export const beginning: Position = { xid: '0', id: 0 };

export interface EventFilter {
  workspaceId?: string | undefined;
  batchId?: string | undefined;
  documentId?: string | undefined;
  types?: readonly string[] | undefined;
}

export interface EventView extends Position {
  [column: string]: unknown;
  at: Date;
  type: string;
  workspaceId: string | null;
  batchId: string | null;
  documentId: string | null;
  ingestionId: string | null;
  data: Record<string, unknown>;
}

/** The workspace and batch of an event: from its document, or from its own data if it has none. */
export const eventScope = sql`
  from events e
  left join ingestions i on i.id = e.ingestion_id
  left join documents d on d.id = i.document_id
  left join batches b on b.id = e.batch_id`;
export const workspaceOfEvent = sql`coalesce(d.workspace_id::text, b.workspace_id::text, e.data->>'workspaceId')`;
export const batchOfEvent = sql`coalesce(d.batch_id::text, e.batch_id::text)`;

/** All transactions with a lower id have ended, so no event can still appear before these. */
export const settled = sql`e.xid < pg_snapshot_xmin(pg_current_snapshot())`;

/** Events after a position, oldest first. None is skipped, regardless of commit order. */
export async function eventsAfter(
  db: Db,
  after: Position,
  { workspaceId, batchId, documentId, types }: EventFilter,
  limit: number,
): Promise<EventView[]> {
  const conditions = [
    settled,
    sql`e.xid >= ${after.xid}::xid8 and (e.xid, e.id) > (${after.xid}::xid8, ${after.id}::bigint)`,
    workspaceId === undefined ? undefined : sql`${workspaceOfEvent} = ${workspaceId}`,
    batchId === undefined ? undefined : sql`${batchOfEvent} = ${batchId}`,
    documentId === undefined
      ? undefined
      : sql`e.ingestion_id in (select id from ingestions where document_id = ${documentId})`,
    types === undefined ? undefined : sql`e.type = any(${sql.param(types)}::text[])`,
  ].filter((condition) => condition !== undefined);
  const { rows } = await db.execute<EventView & { id: string; at: string }>(sql`
    select e.xid::text as xid, e.id, e.at, e.type, ${workspaceOfEvent} as "workspaceId", ${batchOfEvent} as "batchId",
           coalesce(d.id::text, e.data->>'documentId') as "documentId", e.ingestion_id as "ingestionId", e.data
    ${eventScope}
     where ${sql.join(conditions, sql` and `)}
     order by e.xid, e.id limit ${limit}`);
  return rows.map((row) => ({ ...row, id: Number(row.id), at: new Date(row.at) }));
}

/** The current end of the log. */
export async function endOfEvents(db: Db): Promise<Position> {
  const { rows } = await db.execute<{ xid: string }>(
    sql`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`,
  );
  return { xid: rows[0]?.xid ?? beginning.xid, id: 0 };
}
