import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { type RequestHandler, Router } from 'express';
import { jobData } from '../engine/task/task.ts';
import type { Routes } from './context.ts';
import { HttpError } from './http-error.ts';
import { isSafe, requireCaller } from './middleware/authenticate.ts';
import { tellCsrf } from './session.ts';

export const boardPath = '/admin/queues';

const miscLinks = [
  { text: 'API', url: '/docs' },
  { text: 'Log out', url: '/login' },
];

/** Bull Board over all queues. What happens to a task is decided in Postgres: a change here is one of hints, and of time. */
export const board: Routes = ({ queues, boardWritable }) => {
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(boardPath);
  createBullBoard({
    serverAdapter,
    queues: [...queues.byStage.values()].map((queue) => {
      // A job that failed is gone, and Postgres tries again: there is nothing to be retried from here.
      const adapter = new BullMQAdapter(queue, {
        readOnlyMode: !boardWritable,
        allowRetries: false,
      });
      adapter.setFormatter('data', pointer);
      return adapter;
    }),
    options: { uiConfig: { boardTitle: 'Millrace', hideRedisDetails: true, miscLinks } },
  });
  const ui: RequestHandler = serverAdapter.getRouter();
  return Router().use(boardWritable ? onlyAdministrators : readOnly, ui);
};

/** A job of ours is a pointer or some of them; whatever else is in the queue is not shown. */
function pointer(data: unknown) {
  return jobData.safeParse(data).data ?? { malformed: true };
}

const readOnly: RequestHandler = (req, _, next) => {
  if (isSafe(req)) return next();
  throw new HttpError('The board is read-only.', {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    hint: 'Use /admin/dlq and /v1/documents to act on documents; MILLRACE_BOARD_WRITABLE lets administrators change queues.',
    headers: { Allow: 'GET, HEAD' },
  });
};

const onlyAdministrators: RequestHandler = (req, res, next) => {
  const { role, workspaceId } = requireCaller(req);
  if (!isSafe(req) && (role !== 'admin' || workspaceId !== undefined)) {
    const reason = 'Changing queues needs a key with the role admin for all workspaces.';
    throw new HttpError(reason, { status: 403, code: 'FORBIDDEN' });
  }
  tellCsrf(req, res);
  next();
};
