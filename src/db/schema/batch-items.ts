import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { itemKinds } from '../../domain/batch-ledger.ts';
import { batches } from './batches.ts';
import { createdAt } from './columns.ts';
import { documents } from './documents.ts';

/** Items of a batch or container that did not become documents, with the reason. */
export const batchItems = pgTable(
  'batch_items',
  {
    id: uuid('id').primaryKey(),
    batchId: uuid('batch_id').references(() => batches.id),
    /** The container of the item, and its position in it. */
    containerId: uuid('container_id').references(() => documents.id),
    position: integer('position'),
    kind: text('kind', { enum: itemKinds }).notNull(),
    name: text('name').notNull(),
    reason: text('reason').notNull(),
    /** The document it is a duplicate of. */
    documentId: uuid('document_id').references(() => documents.id),
    bytes: bigint('bytes', { mode: 'number' }),
    sha256: text('sha256'),
    idempotencyKey: text('idempotency_key'),
    createdAt: createdAt(),
  },
  (table) => [
    index('batch_items_batch').on(table.batchId, table.id),
    uniqueIndex('batch_items_idempotency')
      .on(table.batchId, table.idempotencyKey)
      .where(sql`${table.idempotencyKey} is not null`),
    index('batch_items_document').on(table.documentId).where(sql`${table.documentId} is not null`),
    uniqueIndex('batch_items_container').on(table.containerId, table.position),
    check(
      'batch_items_place',
      sql`${table.batchId} is not null or ${table.containerId} is not null`,
    ),
  ],
);
