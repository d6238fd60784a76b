import express from 'express';
import type { Listen, MonitorContext } from './context.ts';
import { type Listening, listen } from './listen.ts';
import { errors, unknownRoute } from './middleware/errors.ts';
import { noStore, security } from './middleware/headers.ts';
import { requestLog } from './middleware/request-log.ts';
import { health } from './routes/health.ts';
import { metrics } from './routes/metrics.ts';

/** Serves only health and metrics, for processes other than the API. */
export function startMonitor(context: MonitorContext, at: Listen): Promise<Listening> {
  const { log } = context.resources;
  const app = express();
  app.use(requestLog(log), security, noStore);
  app.use('/metrics', metrics(context));
  app.use(health(context), unknownRoute, errors(log));
  return listen(app, at);
}
