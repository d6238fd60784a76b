import { type Job, WaitingError, type Worker } from 'bullmq';
import type { JobData } from '../task/task.ts';

/** A queue's access to the capacity of its process. */
export interface CapacitySlot {
  /** Starts a task, or returns false if there is no capacity for it. */
  enter(): boolean;
  leave(): void;
  /** Whether there is no capacity for another task of this queue right now. */
  readonly full: boolean;
}

/**
 * Runs a job if its process has capacity. The concurrency limits cannot fully prevent a job from
 * being fetched while another one takes the last slot. Such a job goes back to its queue at once:
 * if it waited here, its lock would be renewed and an idle process could not get it.
 */
export async function inCapacity<T>(
  job: Job<JobData>,
  slot: CapacitySlot | undefined,
  run: () => Promise<T>,
): Promise<T> {
  if (!slot) return run();
  if (!slot.enter()) {
    await job.moveToWait(job.token);
    throw new WaitingError();
  }
  try {
    return await run();
  } finally {
    slot.leave();
  }
}

/** Changes the concurrency of a worker while it runs. */
export function limitJobs(worker: Worker, jobs: number): void {
  if (jobs === 0) {
    void worker.pause(true);
    return;
  }
  const isMore = worker.isPaused() || jobs > worker.concurrency;
  worker.concurrency = jobs;
  if (!isMore) return;
  // A worker that waits for one of its jobs fetches more only after it is resumed.
  void worker.pause(true);
  void worker.resume();
}
