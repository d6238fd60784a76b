import { pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { createdAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

/** Passwords that are tried on encrypted files of a workspace. Stored encrypted, never shown. */
export const passwords = pgTable(
  'passwords',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** Names it in lists and events. */
    label: text('label').notNull(),
    sealed: text('sealed').notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('passwords_label').on(table.workspaceId, table.label)],
);
