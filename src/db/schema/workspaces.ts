import { bigint, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt } from './columns.ts';

/** The unit of isolation: a case, a client, a tenant. */
export const workspaces = pgTable('workspaces', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull().unique(),
  maxInFlight: integer('max_in_flight').notNull().default(200),
  defaultPriority: integer('default_priority').notNull().default(50),
  /** Null = the budget of the deployment, if any. */
  dailyBudgetMicros: bigint('daily_budget_micros', { mode: 'number' }),
  /** Days after which ended documents are removed; null = never. */
  retentionDays: integer('retention_days'),
  /** Requests of all keys that are bound to it together; null = unlimited. */
  requestsPerMinute: integer('requests_per_minute'),
  /** Bytes of documents that it may hold; null = unlimited. */
  storageQuotaBytes: bigint('storage_quota_bytes', { mode: 'number' }),
  createdAt: createdAt(),
});
