import express, { type Express, type RequestHandler } from 'express';
import type { ApiContext, Listen } from './context.ts';
import { type Listening, listen } from './listen.ts';
import { recordRequests } from './middleware/audit.ts';
import { authenticate } from './middleware/authenticate.ts';
import { errors, unknownRoute } from './middleware/errors.ts';
import { noStore, security } from './middleware/headers.ts';
import { knownQuery } from './middleware/known-query.ts';
import { limitRate } from './middleware/rate-limit.ts';
import { requestLog, traceRequests } from './middleware/request-log.ts';
import { operations } from './openapi/operations/index.ts';
import { type GuardedMount, mounts } from './routes/index.ts';

/** Starts the API for callers and operators. */
export async function startServer(
  context: Omit<ApiContext, 'closing'>,
  at: Listen,
): Promise<Listening> {
  const closing = new AbortController();
  return listen(createExpressApp({ ...context, closing: closing.signal }), at, closing);
}

function createExpressApp(context: ApiContext): Express {
  const { log, tracing } = context.resources;
  // Responses are never cached, so ETags would be wasted work.
  const app = express().disable('etag').set('trust proxy', context.settings.trustProxy);
  app.use(requestLog(log), traceRequests(tracing), security, noStore);
  const checkQuery = knownQuery(operations);
  for (const mount of mounts) {
    const guards = mount.access === 'open' ? [] : guardsOf(context, mount);
    app.use(mount.path, ...guards, checkQuery, ...mount.routes.map((each) => each(context)));
  }
  app.use(unknownRoute, errors(log));
  return app;
}

function guardsOf(context: ApiContext, { access, resource }: GuardedMount): RequestHandler[] {
  const resourceOf = typeof resource === 'function' ? resource : () => resource;
  return [
    authenticate(context, access, resourceOf),
    limitRate(context),
    recordRequests(context, resourceOf),
  ];
}
