import { bigint, integer, pgTable, uuid } from 'drizzle-orm/pg-core';
import { documents } from './documents.ts';

/**
 * Running totals of the entries found in an uploaded file at any depth; every container in it
 * checks them.
 */
export const families = pgTable('families', {
  rootId: uuid('root_id')
    .primaryKey()
    .references(() => documents.id),
  entries: integer('entries').notNull(),
  bytes: bigint('bytes', { mode: 'number' }).notNull(),
});
