import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { type RequestHandler, Router } from 'express';
import { jobData } from '../../engine/task/task.ts';
import type { Routes } from '../context.ts';
import { HttpError } from '../http-error.ts';
import { isSafe, requireCaller } from '../middleware/authenticate.ts';
import { tellCsrf } from '../session.ts';
import { describeQueue, showLane } from './describe-queue.ts';
import { nameJobs } from './name-jobs.ts';
import { readOnlyError, retryRoutes } from './retry.ts';

export const boardPath = '/admin/queues';

const miscLinks = [
  { text: 'API', url: '/docs' },
  { text: 'Log out', url: '/login' },
];

/**
 * Bull Board for all queues. Postgres owns the state of tasks, so changes made here affect only
 * hints and thereby timing. Retries are replays of dead letters.
 */
export const board: Routes = (context) => {
  const { resources, queues, boardWritable } = context;
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(boardPath);
  createBullBoard({
    serverAdapter,
    queues: [...queues.byStage.values()].map((queue) => {
      const adapter = new BullMQAdapter(queue, {
        readOnlyMode: !boardWritable,
        allowRetries: boardWritable,
        description: describeQueue(queue.name),
        // Groups the two lanes of a stage.
        displayName: showLane(queue.name, queues.byStage),
        delimiter: '/',
      });
      adapter.setFormatter('data', pointer);
      return adapter;
    }),
    options: {
      uiConfig: { boardTitle: 'Millrace', hideRedisDetails: true, miscLinks },
      handlerHooks: {
        after: nameJobs({ pool: resources.database.pool, queues: queues.byStage }),
      },
    },
  });
  const ui: RequestHandler = serverAdapter.getRouter();
  const guards = [onlyUnbound, boardWritable ? onlyAdministrators : readOnly];
  return Router().use(...guards, retryRoutes(context), ui);
};

/** Our jobs hold one or more task pointers. Any other content is hidden. */
function pointer(data: unknown) {
  return jobData.safeParse(data).data ?? { malformed: true };
}

/** The queues are shared by all workspaces, and their jobs are named. */
const onlyUnbound: RequestHandler = (req, _, next) => {
  if (requireCaller(req).workspaceId === undefined) return next();
  throw new HttpError('The board shows the work of all workspaces.', {
    status: 403,
    code: 'FORBIDDEN',
    hint: 'Use a key that is not bound to a workspace, or /admin/dlq and /v1/documents.',
  });
};

const readOnly: RequestHandler = (req, _, next) => {
  if (isSafe(req)) return next();
  throw readOnlyError();
};

const onlyAdministrators: RequestHandler = (req, res, next) => {
  if (!isSafe(req) && requireCaller(req).role !== 'admin') {
    const reason = 'Changing queues requires an admin key that is not bound to a workspace.';
    throw new HttpError(reason, { status: 403, code: 'FORBIDDEN' });
  }
  tellCsrf(req, res);
  next();
};
