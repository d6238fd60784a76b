import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import { transactionId } from './columns.ts';

/** Positions of our own readers of the event log. */
export const eventReaders = pgTable('event_readers', {
  name: text('name').primaryKey(),
  xid: transactionId('xid').notNull(),
  eventId: bigint('event_id', { mode: 'number' }).notNull(),
});
