import { type SQL, sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import {
  type DeliveryStatus,
  deliveryOutcomes,
  deliveryStates,
  deliveryStatuses,
} from '../../domain/delivery.ts';
import { at, createdAt } from './columns.ts';
import { destinations } from './destinations.ts';
import { documents } from './documents.ts';
import { ingestions } from './ingestions.ts';
import { tasks } from './tasks.ts';
import { workspaces } from './workspaces.ts';

/**
 * One document for one destination. A trigger copies the state of its task; the stage records the
 * exchange with the document manager. The id is the idempotency key of the submission.
 */
export const deliveries = pgTable(
  'deliveries',
  {
    id: uuid('id').primaryKey(),
    /** The workspace of the document and of the destination. */
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    documentId: uuid('document_id')
      .notNull()
      .references(() => documents.id),
    ingestionId: uuid('ingestion_id')
      .notNull()
      .references(() => ingestions.id),
    destinationId: uuid('destination_id')
      .notNull()
      .references(() => destinations.id),
    /** How often a user had it sent again although the manager has it. */
    resends: smallint('resends').notNull().default(0),
    /** Its task; null until it is queued. */
    taskId: uuid('task_id').references(() => tasks.id),
    state: text('state', { enum: deliveryStates }).notNull(),
    outcome: text('outcome', { enum: deliveryOutcomes }).notNull().default('none'),
    status: text('status')
      .$type<DeliveryStatus>()
      .notNull()
      .generatedAlwaysAs((): SQL => statusOfRow()),
    notBefore: at('not_before').notNull().defaultNow(),
    /**
     * Set before the submitting call. From then on the manager may have the document, even if we
     * got no response.
     */
    submittingAt: at('submitting_at'),
    submittedAt: at('submitted_at'),
    /** The revision of the values that were submitted last. */
    sentRevision: integer('sent_revision').notNull().default(0),
    /** The manager's reference for the pending submission. */
    reference: text('reference'),
    /** The manager's id for the document. */
    externalId: text('external_id'),
    reasonCode: text('reason_code'),
    reason: text('reason'),
    /** When it took a concurrency slot of its destination. */
    enteredAt: at('entered_at'),
    createdAt: createdAt(),
    updatedAt: at('updated_at').notNull().defaultNow(),
    endedAt: at('ended_at'),
  },
  (table) => [
    uniqueIndex('deliveries_once').on(table.documentId, table.destinationId),
    uniqueIndex('deliveries_task').on(table.taskId),
    index('deliveries_ingestion').on(table.ingestionId),
    index('deliveries_workspace').on(table.workspaceId, table.id),
    index('deliveries_workspace_status').on(table.workspaceId, table.status, table.id),
    index('deliveries_destination').on(table.destinationId, table.id),
    index('deliveries_to_queue')
      .on(table.notBefore)
      .where(sql`${table.state} in ('received', 'scheduled')`),
    index('deliveries_open')
      .on(table.updatedAt)
      .where(sql`${table.state} in ('queued', 'processing')`),
    index('deliveries_entered').on(table.destinationId).where(sql`${table.enteredAt} is not null`),
    check(
      'deliveries_ended',
      sql`(${table.state} = 'ended') = (${table.outcome} in ('managed', 'rejected', 'failed', 'cancelled'))`,
    ),
  ],
);

/** `deliveryStatuses` as a generated column, so that code and queries share one definition. */
function statusOfRow(): SQL {
  const cases = Object.entries(deliveryStatuses).map(([status, meaning]) => {
    const states = meaning.states.map((state) => `'${state}'`).join(', ');
    const outcome = 'outcome' in meaning ? ` and outcome = '${meaning.outcome}'` : '';
    return `when state in (${states})${outcome} then '${status}'`;
  });
  return sql.raw(`case ${cases.join(' ')} end`);
}
