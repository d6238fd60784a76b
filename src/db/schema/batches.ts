import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { at, createdAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

/** One import into a workspace. */
export const batches = pgTable(
  'batches',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    type: text('type', { enum: ['FILES', 'MAILBOX', 'LOADFILE', 'TRANSCRIPT', 'MANUAL'] }).notNull(),
    state: text('state', { enum: ['open', 'active', 'completed', 'cancelled'] })
      .notNull()
      .default('open'),
    priority: integer('priority').notNull().default(50),
    createdAt: createdAt(),
    sealedAt: at('sealed_at'),
    endedAt: at('ended_at'),
  },
  (table) => [
    index('batches_turn').on(table.workspaceId, table.priority, table.createdAt).where(sql`${table.endedAt} is null`),
    check('batches_ended', sql`(${table.endedAt} is not null) = (${table.state} in ('completed', 'cancelled'))`),
  ],
);
