import { sql } from 'drizzle-orm';
import { integer, json, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { SchemaDefinition } from '../../domain/schema/definition.ts';
import { at, createdAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

/**
 * Document types of workspaces. Every change adds a row, so that earlier extractions stay
 * explainable.
 */
export const schemas = pgTable(
  'schemas',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    /** Not `jsonb`, which reorders keys: fields keep the order in which they were written. */
    definition: json('definition').$type<SchemaDefinition>().notNull(),
    createdAt: createdAt(),
    /** When it was retired, with or without a successor; null = active. */
    retiredAt: at('retired_at'),
  },
  (table) => [
    uniqueIndex('schemas_version').on(table.workspaceId, table.name, table.version),
    uniqueIndex('schemas_in_force')
      .on(table.workspaceId, table.name)
      .where(sql`${table.retiredAt} is null`),
  ],
);
