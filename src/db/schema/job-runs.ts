import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';

/** The latest run of each interval job in any process. */
export const jobRuns = pgTable('job_runs', {
  name: text('name').primaryKey(),
  startedAt: at('started_at').notNull(),
  finishedAt: at('finished_at').notNull(),
  /** End of the latest successful run. */
  succeededAt: at('succeeded_at'),
  report: jsonb('report').$type<Record<string, number>>(),
  error: text('error'),
});
