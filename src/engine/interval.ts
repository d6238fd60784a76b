import type pg from 'pg';
import { describeError } from '../lib/describe-error.ts';
import type { Resources } from '../resources.ts';
import type { Admission } from './admission.ts';
import type { RetryPolicy } from './move.ts';
import type { Queues } from './queues.ts';

export interface JobContext extends Resources {
  queues: Queues;
  policy: RetryPolicy;
  leaseMs: number;
  admission: Admission;
  /** How long a batch may keep the turn while nothing happens in it. */
  batchGraceMs: number;
}

/** What a pass did, in numbers; logged when it did something. */
export type Report = Record<string, number>;

/** Work that recurs. `run` is one pass; loop, lock, jitter and errors are the scheduler's. */
export interface IntervalJob {
  everyMs: number;
  run(context: JobContext): Promise<Report>;
}

export type Schedule = Readonly<Record<string, IntervalJob>>;

export interface Scheduler {
  /** One pass now, whoever else is at it; undefined when another process holds the job. */
  runOnce(name: string): Promise<Report | undefined>;
  stop(): Promise<void>;
}

/** Runs each job at its interval, one pass at a time across all processes. */
export function startScheduler(schedule: Schedule, context: JobContext): Scheduler {
  const stopping = new AbortController();
  const pass = (name: string, job: IntervalJob) =>
    withJobLock(context.database.pool, name, () => job.run(context)).then((report) => {
      if (report && Object.values(report).some((count) => count > 0))
        context.log.info({ job: name, ...report }, 'interval job');
      return report;
    });
  const loops = Object.entries(schedule).map(([name, job]) => loop(name, job));

  async function loop(name: string, job: IntervalJob): Promise<void> {
    // Spreads the first passes, and those of several processes started together.
    await pause(Math.random() * Math.min(job.everyMs, 1000), stopping.signal);
    while (!stopping.signal.aborted) {
      await pass(name, job).catch((error: unknown) =>
        context.log.warn({ job: name, reason: describeError(error) }, 'interval job failed; it runs again'),
      );
      await pause(job.everyMs * (0.9 + Math.random() * 0.2), stopping.signal);
    }
  }

  return {
    runOnce(name) {
      const job = schedule[name];
      if (!job) throw new Error(`There is no interval job "${name}"`);
      return pass(name, job);
    },
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

async function withJobLock<T>(pool: pg.Pool, name: string, run: () => Promise<T>): Promise<T | undefined> {
  const client = await pool.connect();
  try {
    const key = `millrace:job:${name}`;
    const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock(hashtext($1)) as ours', [key]);
    if (!rows[0]?.ours) return undefined;
    try {
      return await run();
    } finally {
      await client.query('select pg_advisory_unlock(hashtext($1))', [key]);
    }
  } finally {
    client.release();
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
