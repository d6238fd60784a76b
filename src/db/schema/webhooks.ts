import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { batches } from './batches.ts';
import { at, createdAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

/** Endpoints that are notified of events. Secrets are stored encrypted. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: uuid('id').primaryKey(),
    /** Absent = events of all workspaces, and those without a workspace. */
    workspaceId: uuid('workspace_id').references(() => workspaces.id),
    url: text('url').notNull(),
    /** Subscribed event types; absent = all. */
    types: text('types').array(),
    batchId: uuid('batch_id').references(() => batches.id),
    /** Send the events of a document in order, each after the previous one was delivered. */
    ordered: boolean('ordered').notNull().default(false),
    state: text('state', { enum: ['active', 'disabled'] })
      .notNull()
      .default('active'),
    disabledReason: text('disabled_reason'),
    secret: text('secret').notNull(),
    /** Also signs until `previousUntil`, so that receivers have time to switch. */
    previousSecret: text('previous_secret'),
    previousUntil: at('previous_until'),
    /** Nothing is sent before this time. */
    pausedUntil: at('paused_until'),
    createdAt: createdAt(),
  },
  (table) => [index('webhooks_workspace').on(table.workspaceId)],
);
