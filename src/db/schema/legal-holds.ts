import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { at, createdAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

/**
 * Protects a workspace, a batch or a document from deletion until it is released. Triggers enforce
 * it. The rows are never deleted, and have no foreign key to what they protected: it may be deleted
 * after the release.
 */
export const legalHolds = pgTable(
  'legal_holds',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** Only this batch; null with `documentId` null = the whole workspace. */
    batchId: uuid('batch_id'),
    /** Only this document, and what was found inside it. */
    documentId: uuid('document_id'),
    reason: text('reason').notNull(),
    /** Id of the API key that set it. */
    setBy: text('set_by').notNull(),
    createdAt: createdAt(),
    releasedAt: at('released_at'),
    releasedBy: text('released_by'),
    releaseReason: text('release_reason'),
  },
  (table) => [
    index('legal_holds_workspace').on(table.workspaceId, table.id),
    index('legal_holds_active').on(table.workspaceId).where(sql`${table.releasedAt} is null`),
    check('legal_holds_target', sql`num_nonnulls(${table.batchId}, ${table.documentId}) <= 1`),
    check(
      'legal_holds_released',
      sql`num_nonnulls(${table.releasedAt}, ${table.releasedBy}, ${table.releaseReason}) in (0, 3)`,
    ),
  ],
);
