import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { at, createdAt } from './columns.ts';
import { webhooks } from './webhooks.ts';

/** One event for one endpoint. Its id and body are the same in every attempt. */
export const webhookMessages = pgTable(
  'webhook_messages',
  {
    id: uuid('id').primaryKey(),
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    position: bigserial('position', { mode: 'number' }).notNull(),
    eventId: bigint('event_id', { mode: 'number' }).notNull(),
    type: text('type').notNull(),
    documentId: text('document_id'),
    body: text('body').notNull(),
    /** W3C traceparent of its document; null = not traced, or no document. */
    traceparent: text('traceparent'),
    state: text('state', { enum: ['waiting', 'delivered', 'dead'] })
      .notNull()
      .default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    notBefore: at('not_before').notNull().defaultNow(),
    lastError: text('last_error'),
    createdAt: createdAt(),
    endedAt: at('ended_at'),
  },
  (table) => [
    uniqueIndex('webhook_messages_once').on(table.webhookId, table.eventId),
    index('webhook_messages_due')
      .on(table.webhookId, table.notBefore)
      .where(sql`${table.state} = 'waiting'`),
    index('webhook_messages_order')
      .on(table.webhookId, table.documentId, table.position)
      .where(sql`${table.state} = 'waiting'`),
    index('webhook_messages_delivered').on(table.endedAt).where(sql`${table.state} = 'delivered'`),
    index('webhook_messages_dead')
      .on(table.webhookId, table.id)
      .where(sql`${table.state} = 'dead'`),
  ],
);
