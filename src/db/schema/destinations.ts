import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { at, createdAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

/** A document manager that documents of a workspace are delivered to. Its secret is sealed. */
export const destinations = pgTable(
  'destinations',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    kind: text('kind').notNull(),
    settings: jsonb('settings').$type<Record<string, unknown>>().notNull(),
    secret: text('secret'),
    /** While it is not, deliveries are kept as received. */
    enabled: boolean('enabled').notNull().default(true),
    /** Deliveries at once, over all processes; no limit when absent. */
    maxConcurrent: integer('max_concurrent'),
    /** How long a document is kept back after it is completed. */
    holdMs: bigint('hold_ms', { mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
    deletedAt: at('deleted_at'),
  },
  (table) => [
    uniqueIndex('destinations_name')
      .on(table.workspaceId, table.name)
      .where(sql`${table.deletedAt} is null`),
  ],
);
