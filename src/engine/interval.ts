import { describeError } from '../lib/describe-error.ts';
import { MINUTE, monotonicNow } from '../lib/time.ts';
import type { IntervalJob, JobContext, Schedule } from './interval-job.ts';
import { type JobRunner, openJobRunner } from './job-runner.ts';

export type { IntervalJob, JobContext, Schedule } from './interval-job.ts';

export interface Scheduler extends JobRunner {
  /** Jobs whose turn in this process is long overdue: their loop hangs. */
  stuck(): string[];
  stop(): Promise<void>;
}

/** Runs each job at its interval, one pass at a time across all processes. */
export function startScheduler(schedule: Schedule, context: JobContext): Scheduler {
  const jobs = openJobRunner(schedule, context);
  const stopping = new AbortController();
  const turns = new Map(Object.keys(schedule).map((name) => [name, monotonicNow()]));
  const loops = Object.entries(schedule).map(([name, job]) => loop(name, job));

  async function loop(name: string, job: IntervalJob): Promise<void> {
    // Spreads the first passes, and those of several processes started together.
    await pause(Math.random() * Math.min(job.everyMs, 1000), stopping.signal);
    while (!stopping.signal.aborted) {
      await jobs
        .runOnce(name)
        .catch((error: unknown) =>
          context.log.warn({ job: name, reason: describeError(error) }, 'interval job failed; it runs again'),
        );
      turns.set(name, monotonicNow());
      await pause(job.everyMs * (0.9 + Math.random() * 0.2), stopping.signal);
    }
  }

  return {
    ...jobs,
    stuck: () =>
      Object.entries(schedule)
        .filter(([name, { everyMs }]) => monotonicNow() - (turns.get(name) ?? 0) > 2 * everyMs + 5 * MINUTE)
        .map(([name]) => name),
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
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
