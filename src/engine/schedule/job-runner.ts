import type pg from 'pg';
import { recordPass } from '../../db/job-runs.ts';
import { NotFoundError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import { monotonicNow, SECOND } from '../../lib/time.ts';
import type { IntervalJob, JobContext, Report, Schedule } from './interval-job.ts';

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
  return {
    schedule,
    async runOnce(name) {
      const job = Object.hasOwn(schedule, name) ? schedule[name] : undefined;
      if (!job) throw new NotFoundError(`There is no interval job "${name}"`);
      return withJobLock(context.database.locks, { name, silenceMs }, () =>
        pass(name, job, context),
      );
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

interface JobLock {
  name: string;
  silenceMs: number;
}

const lock = `
select case when pg_try_advisory_lock(hashtext($1)) then set_config('idle_session_timeout', $2, false) else '' end <> '' as ours`;
const unlock =
  "select pg_advisory_unlock(hashtext($1)), set_config('idle_session_timeout', '0', false)";

/**
 * A session-level advisory lock lives as long as its session, and a session may outlive its process
 * by hours if the process is suspended or the connection is dead. So Postgres ends the session
 * after `silenceMs` without a query, and a running pass sends a keep-alive query.
 */
async function withJobLock<T>(locks: pg.Pool, { name, silenceMs }: JobLock, run: () => Promise<T>) {
  const client = await locks.connect();
  try {
    const key = `millrace:job:${name}`;
    const { rows } = await client.query<{ ours: boolean }>(lock, [key, String(silenceMs)]);
    if (!rows[0]?.ours) return undefined;
    const alive = setInterval(
      () => void client.query('select 1').catch(() => undefined),
      silenceMs / 4,
    );
    try {
      return await run();
    } finally {
      clearInterval(alive);
      await client.query(unlock, [key]);
    }
  } finally {
    client.release();
  }
}
