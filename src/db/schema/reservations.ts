import { bigint, index, integer, pgTable, uuid } from 'drizzle-orm/pg-core';

/**
 * Upper bounds of the cost of calls in progress. A reservation counts while its task runs under the
 * same epoch, so a crash releases it. No foreign keys: a transaction that has locked an account
 * must not wait for another lock.
 */
export const reservations = pgTable(
  'reservations',
  {
    taskId: uuid('task_id').primaryKey(),
    epoch: integer('epoch').notNull(),
    workspaceId: uuid('workspace_id').notNull(),
    batchId: uuid('batch_id'),
    micros: bigint('micros', { mode: 'number' }).notNull(),
  },
  (table) => [index('reservations_workspace').on(table.workspaceId)],
);
