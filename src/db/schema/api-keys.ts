import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { at, createdAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

/**
 * Bearer keys. Only the SHA-256 of the secret is stored; it is long and random, so no slow hash is
 * needed.
 */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    /** Absent = all workspaces (operators and administrators). */
    workspaceId: uuid('workspace_id').references(() => workspaces.id),
    role: text('role', { enum: ['user', 'operator', 'admin'] }).notNull(),
    name: text('name').notNull(),
    secretHash: text('secret_hash').notNull(),
    createdAt: createdAt(),
    revokedAt: at('revoked_at'),
  },
  (table) => [index('api_keys_workspace').on(table.workspaceId)],
);
