import { bigint, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

/**
 * What was spent: one row a workspace and day, one a batch. Whoever is about to spend locks the rows it counts to, the
 * workspace's first, so that two never pass under the same ceiling.
 */
export const accounts = pgTable(
  'accounts',
  {
    /** A workspace or a batch. */
    owner: uuid('owner').notNull(),
    /** A day in UTC for a workspace, `all` for a batch. */
    period: text('period').notNull(),
    spentMicros: bigint('spent_micros', { mode: 'number' }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.owner, table.period] })],
);
