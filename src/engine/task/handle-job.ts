import type { Job } from 'bullmq';
import { atMostEvery } from '../../lib/at-most-every.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Log } from '../../observability/logger.ts';
import type { Lifetime } from '../queues/lifetime.ts';
import { placeOf } from '../pipeline/pipeline.ts';
import { type Runner, type RunOptions, runTask } from './run.ts';
import { type Hint, type JobData, jobData, pointersOf } from './task.ts';

export interface JobOptions extends RunOptions {
  lifetime: Pick<Lifetime, 'spend'> | undefined;
}

/** Runs all that a job of a queue points at, at once. One that is no pointer is dropped. */
export async function handleJob(
  runner: Runner,
  queue: string,
  job: Job<JobData>,
  { lifetime, ...options }: JobOptions,
): Promise<void> {
  const { success, data } = jobData.safeParse(job.data);
  if (!success) {
    runner.resources.metrics.hintDropped(queue, 'malformed');
    warnRarely(runner.resources.log, { queue, jobId: job.id });
    return;
  }
  const { stage, lane } = placeOf(runner.pipeline, queue);
  const { laned } = runner.policy.ladderOf(stage);
  const run = async (hint: Hint): Promise<void> => {
    const result = await runTask(runner, queue, hint, options);
    if (result !== 'stale') lifetime?.spend(laned ? lane : undefined);
  };
  // The job is under way until the last of them has ended, however the others did.
  const runs = await Promise.allSettled(pointersOf(data).map(run));
  const failed = runs.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** Ten thousand bad jobs are one problem: the counter has the number, the log an example a minute. */
const warnRarely = atMostEvery(MINUTE, (log: Log, facts: object) =>
  log.warn(facts, 'dropped a job that is no pointer to a task'),
);
