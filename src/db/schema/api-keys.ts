import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { Scope } from '../../domain/scope.ts';
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
    /** What the key may do, such as documents:read; null = all that its role may. */
    scopes: text('scopes').array().$type<Scope[]>(),
    /** Null = the limit of the deployment, if any. */
    requestsPerMinute: integer('requests_per_minute'),
    createdAt: createdAt(),
    expiresAt: at('expires_at'),
    /** To the minute. */
    lastUsedAt: at('last_used_at'),
    revokedAt: at('revoked_at'),
  },
  (table) => [index('api_keys_workspace').on(table.workspaceId)],
);
