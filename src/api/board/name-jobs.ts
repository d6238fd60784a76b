import type { AfterHook, AppJob, AppQueue } from '@bull-board/api/typings/app';
import type pg from 'pg';
import { z } from 'zod';
import { type BoardTask, findBoardTasks } from '../../db/board-tasks.ts';
import type { Queues } from '../../engine/queues/queues.ts';
import { type Hint, hintsIn, jobData, quarantine } from '../../engine/task/task.ts';
import { describeTask, hintsFor, logLines, nameJob } from './describe-job.ts';

interface Needs {
  pool: pg.Pool;
  queues: Queues['byStage'];
}

/**
 * Jobs hold nothing but pointers to tasks. When the board shows some, this looks up what Postgres
 * knows about their tasks and puts it in place of the pointers.
 */
export function nameJobs(needs: Needs): AfterHook {
  return async ({ route, request }, result) => {
    if ((result.status ?? 200) >= 400) return result;
    if (route === '/api/queues') {
      const body = result.body as { queues: AppQueue[] };
      const queues = await Promise.all(body.queues.map((queue) => nameQueue(needs, queue)));
      return { ...result, body: { ...body, queues } };
    }
    if (route === '/api/queues/:queueName/:jobId') {
      const body = result.body as { job: AppJob };
      const [job] = await nameAll(needs, [body.job]);
      return { ...result, body: { ...body, job } };
    }
    if (route === '/api/queues/:queueName/:jobId/logs') {
      const { queueName, jobId } = logParams.parse(request.params);
      const job = await needs.queues.get(queueName)?.getJob(jobId);
      return { ...result, body: logLines(await findBoardTasks(needs.pool, pointers(job?.data))) };
    }
    return result;
  };
}

const logParams = z.object({ queueName: z.string(), jobId: z.string() });

async function nameQueue(needs: Needs, queue: AppQueue): Promise<AppQueue> {
  const jobs = await nameAll(needs, queue.jobs);
  // Its processes are started when something waits there.
  const isIdle = queue.name === quarantine && jobs.length === 0 && !queue.counts.waiting;
  // A completed job has no dead letter to replay.
  return { ...queue, jobs, allowCompletedRetries: false, ...(isIdle && { hasWorkers: null }) };
}

async function nameAll({ pool }: Needs, jobs: AppJob[]): Promise<AppJob[]> {
  const tasks = await findBoardTasks(
    pool,
    jobs.flatMap(({ data }) => pointers(data)),
  );
  const byHint = new Map(tasks.map((task) => [key(task), task]));
  return jobs.map((job) => {
    const own = pointers(job.data).flatMap((hint) => byHint.get(key(hint)) ?? []);
    return own.length === 0 ? job : nameOne(job, own);
  });
}

function nameOne(job: AppJob, tasks: readonly BoardTask[]): AppJob {
  const described = tasks.map(describeTask);
  const [first] = described;
  return {
    ...job,
    name: nameJob(tasks) ?? job.name,
    data: described.length === 1 ? first : { tasks: described },
    ...(job.isFailed && { stacktrace: [...job.stacktrace, ...hintsFor(tasks)] }),
    ...(first && { externalUrl: { displayText: 'Open', href: first.href } }),
  };
}

function pointers(data: unknown): Hint[] {
  const parsed = jobData.safeParse(data);
  return parsed.success ? hintsIn(parsed.data) : [];
}

function key({ taskId, epoch }: Hint): string {
  return `${taskId}-${epoch}`;
}
