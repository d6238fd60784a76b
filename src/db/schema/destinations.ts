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

/** A document manager that receives documents of a workspace. Its secret is stored encrypted. */
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
    /** While false, deliveries stay in the state `received`. */
    enabled: boolean('enabled').notNull().default(true),
    /** Deliver documents that need a review without waiting for it. */
    deliverDoubtful: boolean('deliver_doubtful').notNull().default(false),
    /** Concurrent deliveries over all processes; null = no limit. */
    maxConcurrent: integer('max_concurrent'),
    /** Delay of a delivery after the document is completed. */
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
