import type { Job } from 'bullmq';
import { type Request, Router } from 'express';
import { findOpenLetters } from '../../db/board-tasks.ts';
import { hintsIn, type JobData, jobData } from '../../engine/task/task.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import { replay } from '../../lifecycle/replay.ts';
import type { ApiContext } from '../context.ts';
import { HttpError } from '../http-error.ts';

/**
 * The board's buttons for retries. BullMQ would only repeat the hint, which points at a task that
 * has ended; here the dead letters of the job are replayed instead.
 */
export function retryRoutes({ resources, intake, queues, boardWritable }: ApiContext): Router {
  const { db, pool } = resources.database;

  const replayJobs = async (jobs: readonly Job<JobData>[]): Promise<number> => {
    let replayed = 0;
    for (const job of jobs) {
      const { data } = jobData.safeParse(job.data);
      const taskIds = data ? hintsIn(data).map(({ taskId }) => taskId) : [];
      for (const id of await findOpenLetters(pool, taskIds)) {
        const { outcome, hints } = await replay(db, { id, workspaceId: undefined }, intake);
        await intake.announce(hints);
        if (outcome === 'replayed') replayed += 1;
      }
      await job.remove();
    }
    return replayed;
  };
  const requireQueue = (req: Request) => {
    if (!boardWritable) throw readOnlyError();
    const queue = queues.byStage.get(String(req.params.queue));
    if (!queue) throw new NotFoundError(`There is no queue ${req.params.queue}`);
    return queue;
  };

  const router = Router();
  router.put('/api/queues/:queue/retry/:status', async (req, res) => {
    const failed = await requireQueue(req).getFailed();
    const retried = req.params.status === 'failed' ? await replayJobs(failed) : 0;
    res.json({ retried, skipped: failed.length - retried });
  });
  router.put('/api/queues/:queue/:id/retry', async (req, res) => {
    const job = await requireQueue(req).getJob(req.params.id);
    if (!job) throw new NotFoundError(`There is no job ${req.params.id}`);
    if ((await replayJobs([job])) === 0)
      throw new ConflictError('Nothing was replayed: the job has no open dead letter.');
    res.status(204).end();
  });
  return router;
}

export function readOnlyError(): HttpError {
  return new HttpError('The board is read-only.', {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    hint:
      'Use /admin/dlq and /v1/documents to act on documents, ' +
      'or set MILLRACE_BOARD_WRITABLE to let administrators change queues.',
    headers: { Allow: 'GET, HEAD' },
  });
}
