import { sql } from 'drizzle-orm';
import { bigserial, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { at, transactionId } from './columns.ts';

/**
 * Events, appended in the transaction that made the change. Partitioned by day (see the first
 * migration).
 */
export const events = pgTable(
  'events',
  {
    id: bigserial('id', { mode: 'number' }).notNull(),
    at: at('at').notNull().defaultNow(),
    type: text('type').notNull(),
    ingestionId: uuid('ingestion_id'),
    /** Batch events are written under the workspace lock, so their ids follow commit order. */
    batchId: uuid('batch_id'),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    /**
     * Ids are assigned before the commit. A reader must use the order of (xid, id) to miss no
     * event.
     */
    xid: transactionId('xid').notNull().default(sql`pg_current_xact_id()`),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.at] }),
    index('events_ingestion').on(table.ingestionId, table.id),
    index('events_batch').on(table.batchId, table.id).where(sql`${table.batchId} is not null`),
    index('events_order').on(table.xid),
  ],
);
