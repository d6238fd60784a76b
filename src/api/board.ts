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

/**
 * Bull Board for all queues. Postgres owns the state of tasks, so changes made here affect only
 * hints and thereby timing.
 */
export const board: Routes = ({ queues, boardWritable }) => {
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(boardPath);
  createBullBoard({
    serverAdapter,
    queues: [...queues.byStage.values()].map((queue) => {
      // Failed jobs are removed and Postgres schedules the retry: nothing can be retried here.
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

/** Our jobs hold one or more task pointers. Any other content is hidden. */
function pointer(data: unknown) {
  return jobData.safeParse(data).data ?? { malformed: true };
}

const readOnly: RequestHandler = (req, _, next) => {
  if (isSafe(req)) return next();
  throw new HttpError('The board is read-only.', {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    hint:
      'Use /admin/dlq and /v1/documents to act on documents, ' +
      'or set MILLRACE_BOARD_WRITABLE to let administrators change queues.',
    headers: { Allow: 'GET, HEAD' },
  });
};

const onlyAdministrators: RequestHandler = (req, res, next) => {
  const { role, workspaceId } = requireCaller(req);
  if (!isSafe(req) && (role !== 'admin' || workspaceId !== undefined)) {
    const reason = 'Changing queues requires an admin key that is not bound to a workspace.';
    throw new HttpError(reason, { status: 403, code: 'FORBIDDEN' });
  }
  tellCsrf(req, res);
  next();
};
