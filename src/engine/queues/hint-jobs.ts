import type { Queue } from 'bullmq';
import { queueName } from '../../domain/lane.ts';
import { newId } from '../../lib/ids.ts';
import { type Announcement, type Hint, hintsIn, type JobData, jobData } from '../task/task.ts';

/** The epoch is part of the id: giving the same hint twice adds one job, and an old job never blocks a new hint. */
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

/** The jobs that hints for one queue become: one each, or bundles of so many at most. */
export function bundleHints(hints: readonly Announcement[], most: number): NewJob[] {
  const jobs: NewJob[] = [];
  for (let from = 0; from < hints.length; from += most) {
    const part = hints.slice(from, from + most);
    const [first] = part;
    if (!first) break;
    // Suspects of all queues come together in one: the name says whose worker is to take them.
    const name = queueName(first.stage, first.lane);
    if (part.length === 1)
      jobs.push({ name, data: pointerOf(first), opts: { jobId: hintId(first) } });
    // With the id of one of its tasks, a job of that task alone would keep out the whole bundle.
    else jobs.push({ name, data: { tasks: part.map(pointerOf) }, opts: { jobId: newId() } });
  }
  return jobs;
}

/** The ids of all hints that wait, or are at work, in bundles of these queues. */
export async function inBundles(queues: readonly Queue<JobData>[]): Promise<Set<string>> {
  const jobs = await Promise.all(
    queues.map((queue) => queue.getJobs(['wait', 'active', 'prioritized'])),
  );
  return new Set(
    jobs.flat().flatMap((job) => {
      // One that was finished between listing and reading it is missing.
      const { data } = jobData.safeParse(job?.data);
      return data ? hintsIn(data).map(hintId) : [];
    }),
  );
}
