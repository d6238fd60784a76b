import { bigint, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';

/**
 * Who did what to what. A trigger refuses every change of a row. Without foreign keys: entries
 * outlive what they are about.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
    at: at('at').notNull().defaultNow(),
    /** Id of the API key; `command-line` for direct access to the database. */
    actor: text('actor').notNull(),
    role: text('role').notNull(),
    /** Of what was acted on; null = all workspaces. */
    workspaceId: uuid('workspace_id'),
    /** Method and route, such as `DELETE /v1/documents/:id`. */
    action: text('action').notNull(),
    targetKind: text('target_kind').notNull(),
    targetId: text('target_id'),
    status: integer('status').notNull(),
    /** What was changed, without secrets. */
    details: jsonb('details').$type<Record<string, unknown>>(),
    address: text('address'),
    requestId: text('request_id'),
  },
  (table) => [
    index('audit_log_at').on(table.at),
    index('audit_log_workspace').on(table.workspaceId, table.id),
    index('audit_log_target').on(table.targetId, table.id),
  ],
);
