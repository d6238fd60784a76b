import { pgTable, text } from 'drizzle-orm/pg-core';

/** Where an interval job stands that goes through something large piece by piece. */
export const jobCursors = pgTable('job_cursors', {
  /** What is gone through. */
  name: text('name').primaryKey(),
  /** The last one that was looked at; empty = it begins anew. */
  position: text('position').notNull(),
});
