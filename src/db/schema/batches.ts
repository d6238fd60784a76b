import { sql } from 'drizzle-orm';
import {
  bigint,
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
 * One import into a workspace. Every change is made under the lock of the workspace's row, taken after those of tasks
 * and ingestions. The counters move in the transaction that moves a document: they decide when a batch is over.
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
    /** What all its documents are, unless one says otherwise. */
    documentType: text('document_type'),
    createdAt: createdAt(),
    queuedAt: at('queued_at'),
    startedAt: at('started_at'),
    /** Since when it has the turn of its workspace; null = it has not. */
    turnAt: at('turn_at'),
    /** When something last happened in it. */
    progressAt: at('progress_at').notNull().default(sql`now()`),
    /** No more documents come. */
    sealedAt: at('sealed_at'),
    endedAt: at('ended_at'),
    cancelMode: text('cancel_mode', { enum: ['full', 'partial'] }),
    /** Items that came, whatever became of them. */
    itemsSeen: count('items_seen'),
    /** Those of them that were found in containers. */
    itemsInside: count('items_inside'),
    /** How many the sender says it had. */
    itemsExpected: integer('items_expected'),
    documents: count('documents'),
    open: count('open'),
    completed: count('completed'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    maxRedrives: smallint('max_redrives').notNull().default(2),
    redrivePass: smallint('redrive_pass').notNull().default(0),
    redriveAt: at('redrive_at'),
    /** What its documents may cost; null = any amount. */
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
    // The lock: whatever else goes wrong, two batches of a workspace never run at once.
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
