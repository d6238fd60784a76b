import { bigint, integer, pgTable, uuid } from 'drizzle-orm/pg-core';
import { documents } from './documents.ts';

/** What was found so far in a file that was sent, at any depth: counted as it comes, since every container in it asks. */
export const families = pgTable('families', {
  rootId: uuid('root_id')
    .primaryKey()
    .references(() => documents.id),
  entries: integer('entries').notNull(),
  bytes: bigint('bytes', { mode: 'number' }).notNull(),
});
