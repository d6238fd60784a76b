import { pgTable, text } from 'drizzle-orm/pg-core';

/** Position of an interval job that scans a large set in steps. */
export const jobCursors = pgTable('job_cursors', {
  name: text('name').primaryKey(),
  /** The last item that was checked; empty = start from the beginning. */
  position: text('position').notNull(),
});
