import type { Job } from 'bullmq';
import type { JobResult } from '../task/executor.ts';

/** A task of the job failed for good. Its dead letter is written; BullMQ only lists the job. */
export class TaskFailedError extends Error {
  override name = 'TaskFailedError';

  constructor(message: string) {
    super(message);
    // The board shows the stack of a failed job; ours says nothing that the message does not.
    this.stack = message;
  }
}

/**
 * Keeps a finished job for the board, under completed or failed. Only if each of its tasks was
 * settled: its epoch has advanced then, so that no later hint can need the id of this job.
 */
export function finishJob(
  job: Pick<Job, 'opts'>,
  { isSettled, failures }: JobResult,
  keep: number,
): void {
  if (!isSettled || keep === 0) return;
  job.opts.removeOnComplete = { count: keep };
  job.opts.removeOnFail = { count: keep };
  const [first] = failures;
  if (!first) return;
  const others = failures.length > 1 ? ` (and ${failures.length - 1} more)` : '';
  throw new TaskFailedError(`${first.code}: ${first.message}${others}`);
}
