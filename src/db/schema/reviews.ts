import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { type FieldChange, reviewActions, reviewStates } from '../../domain/review.ts';
import { at, createdAt } from './columns.ts';
import { documents } from './documents.ts';
import { workspaces } from './workspaces.ts';

/**
 * A document that waits for a person, or that one has settled. A trigger opens it when a run
 * completes with doubtful values; a new run withdraws it.
 */
export const reviews = pgTable(
  'reviews',
  {
    documentId: uuid('document_id')
      .primaryKey()
      .references(() => documents.id),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** The run whose values are reviewed. It may be purged once it is replaced. */
    ingestionId: uuid('ingestion_id').notNull(),
    state: text('state', { enum: reviewStates }).notNull(),
    documentType: text('document_type'),
    /** Why it needs a review, as sentences, and which fields are in doubt. */
    reasons: text('reasons').array().notNull(),
    fields: text('fields').array().notNull(),
    /** Higher ones are handed out first. */
    priority: integer('priority').notNull().default(0),
    openedAt: at('opened_at').notNull().defaultNow(),
    /** The key that holds it until `claimedUntil`. */
    assignee: text('assignee'),
    claimedUntil: at('claimed_until'),
    settledAt: at('settled_at'),
    settledBy: text('settled_by'),
    /** Why it was rejected. */
    rejection: text('rejection'),
  },
  (table) => [
    index('reviews_open')
      .on(table.workspaceId, table.priority.desc(), table.openedAt, table.documentId)
      .where(sql`${table.state} = 'open'`),
    index('reviews_next')
      .on(table.priority.desc(), table.openedAt, table.documentId)
      .where(sql`${table.state} = 'open'`),
  ],
);

/** Who changed what in a review. A trigger refuses changes of these rows. */
export const reviewChanges = pgTable(
  'review_changes',
  {
    id: uuid('id').primaryKey(),
    documentId: uuid('document_id')
      .notNull()
      .references(() => documents.id),
    workspaceId: uuid('workspace_id').notNull(),
    ingestionId: uuid('ingestion_id').notNull(),
    action: text('action', { enum: reviewActions }).notNull(),
    /** Id of the API key. */
    actor: text('actor').notNull(),
    /** The revision of the values after the change. */
    revision: integer('revision').notNull(),
    changes: jsonb('changes').$type<FieldChange[]>().notNull().default([]),
    reason: text('reason'),
    createdAt: createdAt(),
  },
  (table) => [index('review_changes_document').on(table.documentId, table.id)],
);
