import { recordPass } from '../../db/job-runs.ts';
import { NotFoundError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import { monotonicNow, SECOND } from '../../lib/time.ts';
import type { IntervalJob, JobContext, Report, Schedule } from './interval-job.ts';
import { openJobLocks } from './job-locks.ts';

export interface JobRunner {
  readonly schedule: Schedule;
  /** Runs one pass now. Undefined if another process is running it. */
  runOnce(name: string): Promise<Report | undefined>;
}

/** Runs passes of interval jobs, one at a time across all processes, and records them. */
export function openJobRunner(
  schedule: Schedule,
  context: JobContext,
  silenceMs = 20 * SECOND,
): JobRunner {
  const locks = openJobLocks(context.database.locks, silenceMs);
  return {
    schedule,
    async runOnce(name) {
      const job = Object.hasOwn(schedule, name) ? schedule[name] : undefined;
      if (!job) throw new NotFoundError(`There is no interval job "${name}"`);
      return locks.hold(name, () => pass(name, job, context));
    },
  };
}

async function pass(name: string, job: IntervalJob, context: JobContext): Promise<Report> {
  const startedAt = monotonicNow();
  const ended = async (report: Report | null, error: string | null) => {
    const ms = monotonicNow() - startedAt;
    context.metrics.jobRan(name, error === null ? 'done' : 'failed', ms);
    await recordPass(context.database.db, { name, ms, report, error });
  };
  const report = await job.run(context).catch(async (error: unknown) => {
    // The failure may be the database itself, so the pass's own error is the one to throw.
    await ended(null, describeError(error)).catch(() => undefined);
    throw error;
  });
  await ended(report, null);
  if (Object.values(report).some((count) => count > 0))
    context.log.info({ job: name, ...report }, 'interval job');
  return report;
}
