import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Db } from './index.ts';
import { jobRuns } from './schema/job-runs.ts';

export type JobRun = typeof jobRuns.$inferSelect;

export interface FinishedPass {
  name: string;
  ms: number;
  report: Record<string, number> | null;
  error: string | null;
}

/** Records the latest run of a job, by the database's clock. */
export async function recordPass(db: Db, { name, ms, report, error }: FinishedPass): Promise<void> {
  const startedAt = sql`now() - ${ms} * interval '1 millisecond'`;
  const pass = {
    startedAt,
    finishedAt: sql`now()`,
    report,
    error,
    ...(error === null && { succeededAt: sql`now()` }),
  };
  await db
    .insert(jobRuns)
    .values({ name, ...pass })
    .onConflictDoUpdate({ target: jobRuns.name, set: pass });
}

export function latestPasses(db: Db): Promise<JobRun[]> {
  return db.select().from(jobRuns);
}

/** Whether a run of this job ever succeeded. */
export async function hasSucceeded(db: Db, name: string): Promise<boolean> {
  const found = await db
    .select({ name: jobRuns.name })
    .from(jobRuns)
    .where(and(eq(jobRuns.name, name), isNotNull(jobRuns.succeededAt)));
  return found.length > 0;
}
