import { type Job, WaitingError, type Worker } from 'bullmq';
import type { JobData } from '../task/task.ts';

/** A queue's way to the capacity of its process. */
export interface CapacitySlot {
  /** Begins a task, or returns false: there is no room for it. */
  enter(): boolean;
  leave(): void;
  /** Whether another task of this queue would find no room right now. */
  readonly full: boolean;
}

/**
 * Runs a job if its process has room for it. One that was fetched while another took the room, which the limits cannot
 * rule out, goes back to its queue at once: held here, its lock would be renewed while an idle process finds nothing.
 */
export async function inCapacity(
  job: Job<JobData>,
  slot: CapacitySlot | undefined,
  run: () => Promise<void>,
): Promise<void> {
  if (!slot) return run();
  if (!slot.enter()) {
    await job.moveToWait(job.token);
    throw new WaitingError();
  }
  try {
    await run();
  } finally {
    slot.leave();
  }
}

/** Changes how many jobs a worker may have under way. */
export function limitJobs(worker: Worker, jobs: number): void {
  if (jobs === 0) {
    void worker.pause(true);
    return;
  }
  const isMore = worker.isPaused() || jobs > worker.concurrency;
  worker.concurrency = jobs;
  if (!isMore) return;
  // A worker that waits for one of its jobs to end looks for more only when it is resumed.
  void worker.pause(true);
  void worker.resume();
}
