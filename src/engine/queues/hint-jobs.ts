import type { Queue } from 'bullmq';
import { queueName } from '../../domain/lane.ts';
import { newId } from '../../lib/ids.ts';
import { type Announcement, type Hint, hintsIn, type JobData, jobData } from '../task/task.ts';

/** Contains the epoch: a repeated hint adds no job, and an old job never blocks a new hint. */
export function hintId({ taskId, epoch }: Hint): string {
  return `${taskId}-${epoch}`;
}

function pointerOf({ taskId, epoch }: Hint): Hint {
  return { taskId, epoch };
}

interface NewJob {
  name: string;
  data: JobData;
  opts: { jobId: string };
}

/** Turns the hints for one queue into jobs: one each, or bundles of at most `most` hints. */
export function bundleHints(hints: readonly Announcement[], most: number): NewJob[] {
  const jobs: NewJob[] = [];
  for (let from = 0; from < hints.length; from += most) {
    const part = hints.slice(from, from + most);
    const [first] = part;
    if (!first) break;
    // The quarantine queue is shared, so the job name tells which queue a suspect is from.
    const name = queueName(first.stage, first.lane);
    if (part.length === 1)
      jobs.push({ name, data: pointerOf(first), opts: { jobId: hintId(first) } });
    // With the id of one of its tasks, an existing job of that task would block the whole bundle.
    else jobs.push({ name, data: { tasks: part.map(pointerOf) }, opts: { jobId: newId() } });
  }
  return jobs;
}

/** The ids of all hints in bundles that wait or are active in these queues. */
export async function inBundles(queues: readonly Queue<JobData>[]): Promise<Set<string>> {
  const jobs = await Promise.all(
    queues.map((queue) => queue.getJobs(['wait', 'active', 'prioritized'])),
  );
  return new Set(
    jobs.flat().flatMap((job) => {
      // A job that finished between listing and reading is missing.
      const { data } = jobData.safeParse(job?.data);
      return data ? hintsIn(data).map(hintId) : [];
    }),
  );
}
