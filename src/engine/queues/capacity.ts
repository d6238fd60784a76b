import { type Job, WaitingError, type Worker } from 'bullmq';
import type { Entrance } from './slots.ts';
import type { JobData } from '../task/task.ts';

/**
 * Runs a job if its process has room for it. One that was fetched while another took the room, which the limits cannot
 * rule out, goes back to its queue at once: held here, its lock would be renewed while an idle process finds nothing.
 */
export async function inRoom(job: Job<JobData>, room: Entrance | undefined, run: () => Promise<void>): Promise<void> {
  if (!room) return run();
  if (!room.enter()) {
    await job.moveToWait(job.token);
    throw new WaitingError();
  }
  try {
    await run();
  } finally {
    room.leave();
  }
}

/** Lets a worker have so many jobs under way from now on. */
export function limit(worker: Worker, tasks: number): void {
  if (tasks === 0) {
    void worker.pause(true);
    return;
  }
  const isMore = worker.isPaused() || tasks > worker.concurrency;
  worker.concurrency = tasks;
  if (!isMore) return;
  // A worker that waits for one of its jobs to end looks for more only when it is resumed.
  void worker.pause(true);
  void worker.resume();
}
