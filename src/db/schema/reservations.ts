import { bigint, index, integer, pgTable, uuid } from 'drizzle-orm/pg-core';

/**
 * What calls under way may cost. One counts for as long as its task runs under the same epoch: a crash gives it back. No
 * foreign keys: whoever has locked an account waits for no other lock.
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
