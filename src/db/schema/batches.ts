import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { batchStates, batchTypes } from '../../domain/batch.ts';
import type { Ledger } from '../../domain/batch-ledger.ts';
import { at, createdAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

const count = (name: string) => integer(name).notNull().default(0);

/**
 * One import into a workspace. Every change requires the lock of the workspace row, taken after
 * those of tasks and ingestions. Counters change in the transaction that changes a document: they
 * decide when a batch has ended.
 */
export const batches = pgTable(
  'batches',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    type: text('type', { enum: batchTypes }).notNull(),
    state: text('state', { enum: batchStates }).notNull().default('open'),
    /** Lower goes first. */
    priority: integer('priority').notNull().default(50),
    idempotencyKey: text('idempotency_key'),
    /** Default type of its documents. */
    documentType: text('document_type'),
    /** Its documents are read without OCR. */
    noOcr: boolean('no_ocr').notNull().default(false),
    createdAt: createdAt(),
    queuedAt: at('queued_at'),
    startedAt: at('started_at'),
    /** When it got the turn of its workspace; null = it does not have it. */
    turnAt: at('turn_at'),
    /** Time of the last change. */
    progressAt: at('progress_at').notNull().default(sql`now()`),
    /** When it gave up its turn because its documents in progress did not move. */
    stuckAt: at('stuck_at'),
    /** Set when no more documents will be added. */
    sealedAt: at('sealed_at'),
    endedAt: at('ended_at'),
    cancelMode: text('cancel_mode', { enum: ['full', 'partial'] }),
    /** All items received. */
    itemsSeen: count('items_seen'),
    /** Items found in containers. */
    itemsInside: count('items_inside'),
    /** The sender's own count. */
    itemsExpected: integer('items_expected'),
    documents: count('documents'),
    open: count('open'),
    completed: count('completed'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    /** Documents that were removed when their retention period ended; still counted above. */
    expired: count('expired'),
    maxRedrives: smallint('max_redrives').notNull().default(2),
    redrivePass: smallint('redrive_pass').notNull().default(0),
    redriveAt: at('redrive_at'),
    /** Cost limit for its documents; null = none. */
    maxCostMicros: bigint('max_cost_micros', { mode: 'number' }),
    ledger: jsonb('ledger').$type<Ledger>(),
  },
  (table) => [
    index('batches_queued')
      .on(table.workspaceId, table.priority, table.createdAt)
      .where(sql`${table.state} = 'queued'`),
    index('batches_restless')
      .on(table.state, table.id)
      .where(sql`${table.state} in ('redriving', 'cancelling')`),
    index('batches_live').on(table.state).where(sql`${table.endedAt} is null`),
    index('batches_workspace').on(table.workspaceId, table.id),
    index('batches_workspace_state').on(table.workspaceId, table.state, table.id),
    // Guarantees that two batches of a workspace never run at the same time.
    uniqueIndex('batches_one_turn').on(table.workspaceId).where(sql`${table.turnAt} is not null`),
    uniqueIndex('batches_idempotency')
      .on(table.workspaceId, table.idempotencyKey)
      .where(sql`${table.idempotencyKey} is not null`),
    check(
      'batches_ended',
      sql`(${table.endedAt} is not null) = (${table.state} in ('completed', 'cancelled'))`,
    ),
    check(
      'batches_active',
      sql`${table.turnAt} is not null or ${table.state} not in ('active', 'redriving')`,
    ),
    check(
      'batches_counted',
      sql`${table.documents} = ${table.open} + ${table.completed} + ${table.failed} + ${table.cancelled}
        and least(${table.open}, ${table.completed}, ${table.failed}, ${table.cancelled}) >= 0`,
    ),
    check('batches_priority', sql`${table.priority} >= 0`),
  ],
);
