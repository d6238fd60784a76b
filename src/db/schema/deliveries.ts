import { type SQL, sql } from 'drizzle-orm';
import { check, index, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
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
 * One document for one destination. Its task moves it on: a trigger carries the task's state here. What was said
 * between us and the manager is written by the stage. Its id is the idempotency key of the hand-over.
 */
export const deliveries = pgTable(
  'deliveries',
  {
    id: uuid('id').primaryKey(),
    /** That of the document and of the destination. */
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
    /** How often somebody asked for it to be sent again although the manager holds it. */
    resends: smallint('resends').notNull().default(0),
    /** The task that works on it; none before it is queued. */
    taskId: uuid('task_id').references(() => tasks.id),
    state: text('state', { enum: deliveryStates }).notNull(),
    outcome: text('outcome', { enum: deliveryOutcomes }).notNull().default('none'),
    status: text('status')
      .$type<DeliveryStatus>()
      .notNull()
      .generatedAlwaysAs((): SQL => statusOfRow()),
    notBefore: at('not_before').notNull().defaultNow(),
    /** The intent: set before the call that hands it over. From then on the manager may hold it, whatever we know. */
    submittingAt: at('submitting_at'),
    submittedAt: at('submitted_at'),
    /** What the manager calls this hand-over while it thinks about it. */
    reference: text('reference'),
    /** What the manager calls the document. */
    externalId: text('external_id'),
    reasonCode: text('reason_code'),
    reason: text('reason'),
    /** Holds one of the places of its destination. */
    enteredAt: at('entered_at'),
    createdAt: createdAt(),
    updatedAt: at('updated_at').notNull().defaultNow(),
    endedAt: at('ended_at'),
  },
  (table) => [
    uniqueIndex('deliveries_once').on(table.documentId, table.destinationId),
    uniqueIndex('deliveries_task').on(table.taskId),
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

/** The table of statuses, as a generated column: one definition for the code and for queries. */
function statusOfRow(): SQL {
  const cases = Object.entries(deliveryStatuses).map(([status, meaning]) => {
    const states = meaning.states.map((state) => `'${state}'`).join(', ');
    const outcome = 'outcome' in meaning ? ` and outcome = '${meaning.outcome}'` : '';
    return `when state in (${states})${outcome} then '${status}'`;
  });
  return sql.raw(`case ${cases.join(' ')} end`);
}
