import { bigint, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

/**
 * Spending: one row per workspace and day, and one per batch. Before spending, a transaction locks
 * both rows, the workspace's first, so that two calls never use the same remaining budget.
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
