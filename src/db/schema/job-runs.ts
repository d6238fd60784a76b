import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';

/** The latest pass of each interval job, whichever process it ran in. */
export const jobRuns = pgTable('job_runs', {
  name: text('name').primaryKey(),
  startedAt: at('started_at').notNull(),
  finishedAt: at('finished_at').notNull(),
  /** Of the latest pass that did not fail. */
  succeededAt: at('succeeded_at'),
  report: jsonb('report').$type<Record<string, number>>(),
  error: text('error'),
});
