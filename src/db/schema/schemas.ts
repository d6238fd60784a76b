import { sql } from 'drizzle-orm';
import { integer, json, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { SchemaDefinition } from '../../domain/schema/definition.ts';
import { at, createdAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

/** The document types of workspaces. Every change is a new row: what was extracted before can still be explained. */
export const schemas = pgTable(
  'schemas',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    /** Not `jsonb`, which has an order of its own: fields are asked for, and given back, as they were written. */
    definition: json('definition').$type<SchemaDefinition>().notNull(),
    createdAt: createdAt(),
    /** Since when it is out of force: another version took its place, or none. */
    retiredAt: at('retired_at'),
  },
  (table) => [
    uniqueIndex('schemas_version').on(table.workspaceId, table.name, table.version),
    uniqueIndex('schemas_in_force')
      .on(table.workspaceId, table.name)
      .where(sql`${table.retiredAt} is null`),
  ],
);
