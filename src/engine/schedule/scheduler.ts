import { setMaxListeners } from 'node:events';
import { describeError } from '../../lib/describe-error.ts';
import { MINUTE, monotonicNow } from '../../lib/time.ts';
import type { IntervalJob, JobContext, Schedule } from './interval-job.ts';
import { type JobRunner, openJobRunner } from './job-runner.ts';

export type { IntervalJob, JobContext, Schedule } from './interval-job.ts';

export interface Scheduler extends JobRunner {
  /** Names the jobs whose pass in this process is long overdue: their loop hangs. */
  stallReason(): string | undefined;
  stop(): Promise<void>;
}

const maxPassMs = 5 * MINUTE;

/** Runs each job at its interval, one pass at a time across all processes. */
export function startScheduler(schedule: Schedule, context: JobContext): Scheduler {
  const jobs = openJobRunner(schedule, context);
  const stopping = new AbortController();
  // Every job adds a listener to this signal, more than Node's default limit.
  setMaxListeners(0, stopping.signal);
  const turns = new Map(Object.keys(schedule).map((name) => [name, monotonicNow()]));
  const loops = Object.entries(schedule).map(([name, job]) => loop(name, job));

  async function loop(name: string, job: IntervalJob): Promise<void> {
    // Spreads the first passes, also those of several processes started together.
    await pause(Math.random() * Math.min(job.everyMs, 1000), stopping.signal);
    while (!stopping.signal.aborted) {
      await jobs
        .runOnce(name)
        .catch((error: unknown) =>
          context.log.warn(
            { job: name, reason: describeError(error) },
            'interval job failed; it will run again at its next interval',
          ),
        );
      turns.set(name, monotonicNow());
      await pause(job.everyMs * (0.9 + Math.random() * 0.2), stopping.signal);
    }
  }

  return {
    ...jobs,
    stallReason() {
      const overdue = Object.keys(schedule).filter((name) => {
        const everyMs = schedule[name]?.everyMs ?? 0;
        return monotonicNow() - (turns.get(name) ?? 0) > 2 * everyMs + maxPassMs;
      });
      return overdue.length === 0
        ? undefined
        : `Stalled: these interval jobs do not finish: ${overdue.join(', ')}`;
    },
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
