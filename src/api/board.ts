import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { type RequestHandler, Router } from 'express';
import { hint } from '../engine/task.ts';
import type { Routes } from './context.ts';
import { HttpError } from './http-error.ts';

export const boardPath = '/admin/queues';

const miscLinks = [
  { text: 'API', url: '/docs' },
  { text: 'Log out', url: '/login' },
];

/** Bull Board over all queues, to look at: what happens to a task is decided in Postgres and not here. */
export const board: Routes = ({ queues }) => {
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(boardPath);
  createBullBoard({
    serverAdapter,
    queues: [...queues.byStage.values()].map((queue) => {
      const adapter = new BullMQAdapter(queue, { readOnlyMode: true });
      adapter.setFormatter('data', pointer);
      return adapter;
    }),
    options: { uiConfig: { boardTitle: 'Millrace', hideRedisDetails: true, miscLinks } },
  });
  const ui: RequestHandler = serverAdapter.getRouter();
  return Router().use(readOnly, ui);
};

/** A job of ours is a pointer; whatever else is in the queue is not shown. */
function pointer(data: unknown) {
  return hint.safeParse(data).data ?? { malformed: true };
}

const readOnly: RequestHandler = ({ method }, _, next) => {
  if (method === 'GET' || method === 'HEAD') return next();
  throw new HttpError('The board is read-only.', {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    hint: 'Use /admin/dlq and /v1/documents to act on documents.',
    headers: { Allow: 'GET, HEAD' },
  });
};
