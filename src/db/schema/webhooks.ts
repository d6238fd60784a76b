import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { batches } from './batches.ts';
import { at, createdAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

/** Endpoints that want to be told of events. Secrets are sealed. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: uuid('id').primaryKey(),
    /** Absent = events of all workspaces, and of none. */
    workspaceId: uuid('workspace_id').references(() => workspaces.id),
    url: text('url').notNull(),
    /** What it wants to hear of; everything when absent. */
    types: text('types').array(),
    batchId: uuid('batch_id').references(() => batches.id),
    /** The events of a document one after the other, each when the one before it has arrived. */
    ordered: boolean('ordered').notNull().default(false),
    state: text('state', { enum: ['active', 'disabled'] })
      .notNull()
      .default('active'),
    disabledReason: text('disabled_reason'),
    secret: text('secret').notNull(),
    /** Signs as well until then, so that receivers can change over in their own time. */
    previousSecret: text('previous_secret'),
    previousUntil: at('previous_until'),
    /** Left alone until then. */
    pausedUntil: at('paused_until'),
    createdAt: createdAt(),
  },
  (table) => [index('webhooks_workspace').on(table.workspaceId)],
);
