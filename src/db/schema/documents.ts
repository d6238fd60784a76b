import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Contents } from '../../domain/batch-ledger.ts';
import { ingestionStatuses } from '../../domain/ingestion-status.ts';
import type { Metadata } from '../../domain/metadata.ts';
import { batches } from './batches.ts';
import { at, createdAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

/** One file. A trigger copies the result of its latest ingestion here. */
export const documents = pgTable(
  'documents',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    batchId: uuid('batch_id').references(() => batches.id),
    parentId: uuid('parent_id').references((): AnyPgColumn => documents.id),
    rootId: uuid('root_id'),
    /** Its position in the parent container. */
    position: integer('position'),
    /** With `/` between folders: in the container, or below the folder that was uploaded. */
    path: text('path'),
    /** For an unpacked container: the ledger of its entries. */
    contents: jsonb('contents').$type<Contents>(),
    /** How many of its entries were removed when their retention period ended. */
    entriesExpired: integer('entries_expired').notNull().default(0),
    name: text('name').notNull(),
    /** The type declared by the sender; `mediaType` is the detected one. */
    declaredType: text('declared_type'),
    mediaType: text('media_type'),
    /** What the file says about itself. */
    metadata: jsonb('metadata').$type<Metadata>(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    md5: text('md5').notNull(),
    sha1: text('sha1').notNull(),
    sha256: text('sha256').notNull(),
    storageKey: text('storage_key').notNull(),
    /** The latest ingestion; set by the transaction that creates it. */
    ingestionId: uuid('ingestion_id').notNull(),
    /** Status of the latest ingestion. */
    status: text('status', { enum: ingestionStatuses }).notNull().default('in-progress'),
    structuredData: jsonb('structured_data').$type<Record<string, unknown>>(),
    needsHumanReview: boolean('needs_human_review').notNull().default(false),
    /** The sender's key, so that repeating the request does not create a second document. */
    idempotencyKey: text('idempotency_key'),
    createdAt: createdAt(),
    updatedAt: at('updated_at').notNull().defaultNow(),
    deletedAt: at('deleted_at'),
    /** When its file was found to be missing or incomplete in storage. */
    bytesMissingAt: at('bytes_missing_at'),
  },
  (table) => [
    index('documents_workspace').on(table.workspaceId, table.id),
    index('documents_batch').on(table.batchId, table.id),
    index('documents_workspace_status').on(table.workspaceId, table.status, table.id),
    index('documents_workspace_review')
      .on(table.workspaceId, table.id)
      .where(sql`${table.needsHumanReview}`),
    index('documents_batch_status')
      .on(table.batchId, table.status, table.id)
      .where(sql`${table.batchId} is not null`),
    index('documents_batch_review')
      .on(table.batchId, table.id)
      .where(sql`${table.needsHumanReview} and ${table.batchId} is not null`),
    index('documents_parent')
      .on(table.parentId, table.position)
      .where(sql`${table.parentId} is not null`),
    index('documents_root').on(table.rootId).where(sql`${table.rootId} is not null`),
    index('documents_containers').on(table.batchId).where(sql`${table.contents} is not null`),
    index('documents_content').on(table.workspaceId, table.sha256),
    index('documents_batch_content')
      .on(table.batchId, table.sha256)
      .where(sql`${table.batchId} is not null`),
    index('documents_bytes_missing')
      .on(table.id)
      .where(sql`${table.bytesMissingAt} is not null and ${table.deletedAt} is null`),
    uniqueIndex('documents_idempotency')
      .on(table.workspaceId, table.idempotencyKey)
      .where(sql`${table.idempotencyKey} is not null`),
  ],
);
