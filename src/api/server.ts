import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { SetupError } from '../errors.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import { within } from '../lib/within.ts';
import type { ApiContext, Listen, MonitorContext } from './context.ts';
import { authenticate } from './middleware/authenticate.ts';
import { errors, unknownRoute } from './middleware/errors.ts';
import { requestLog } from './middleware/request-log.ts';
import { traceRequests } from './middleware/trace.ts';
import { health } from './routes/health.ts';
import { mounts } from './routes/index.ts';
import { metrics } from './routes/metrics.ts';

export interface ApiServer {
  url: string;
  close(): Promise<void>;
}

/** How long running requests may go on when the server closes. */
const graceMs = 10 * SECOND;

/** The API, for callers and operators. */
export async function startServer(context: Omit<ApiContext, 'closing'>, at: Listen): Promise<ApiServer> {
  const closing = new AbortController();
  return listen(createExpressApp({ ...context, closing: closing.signal }), at, closing);
}

/** Health and metrics alone, for processes that are not the API. */
export function startMonitor(context: MonitorContext, at: Listen): Promise<ApiServer> {
  const { log } = context.resources;
  const app = express();
  app.use(requestLog(log), security, noStore);
  app.use('/metrics', metrics(context));
  app.use(health(context), unknownRoute, errors(log));
  return listen(app, at);
}

async function listen(app: Express, { host, port }: Listen, closing = new AbortController()): Promise<ApiServer> {
  const server = createServer(app);
  // An upload may take hours as long as bytes arrive; a connection that stays silent may not.
  server.requestTimeout = 0;
  server.headersTimeout = 20 * SECOND;
  server.keepAliveTimeout = 65 * SECOND;
  server.timeout = 5 * MINUTE;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portTaken(error, port) ?? error)).listen(port, host, resolve);
  });
  const close = () => {
    closing.abort();
    return closeServer(server);
  };
  return { url: urlOf(server.address()), close };
}

function createExpressApp(context: ApiContext): Express {
  const { log, tracing } = context.resources;
  // What no cache may keep need not be told apart from what it was before.
  const app = express().disable('etag');
  app.use(requestLog(log), traceRequests(tracing), security, noStore);
  for (const { path, access, routes } of mounts) {
    const guards = access === 'open' ? [] : [authenticate(context, access)];
    app.use(path, ...guards, ...routes.map((each) => each(context)));
  }
  app.use(unknownRoute, errors(log));
  return app;
}

const security = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      // The board styles its elements in place.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
});

/** Answers hold documents: no cache on the way keeps them. */
const noStore: express.RequestHandler = (_, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A connection that is kept alive becomes idle only when its request is over.
  const timer = setInterval(() => server.closeIdleConnections(), 50);
  await within(graceMs, closed);
  clearInterval(timer);
  server.closeAllConnections();
  await closed;
}

function portTaken(error: NodeJS.ErrnoException, port: number): SetupError | undefined {
  if (error.code !== 'EADDRINUSE') return undefined;
  return new SetupError(`Port ${port} is taken.`, 'Set MILLRACE_PORT to another one; 0 takes any free one.', {
    cause: error,
  });
}
