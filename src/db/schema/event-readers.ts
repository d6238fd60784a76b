import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import { transactionId } from './columns.ts';

/** How far each of our own readers of the log of events has come. */
export const eventReaders = pgTable('event_readers', {
  name: text('name').primaryKey(),
  xid: transactionId('xid').notNull(),
  eventId: bigint('event_id', { mode: 'number' }).notNull(),
});
