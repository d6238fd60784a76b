import { createHash, timingSafeEqual } from 'node:crypto';
import { Router } from 'express';
import client from 'prom-client';
import type { MonitorContext } from '../context.ts';
import { HttpError } from '../http-error.ts';

export const metrics = ({ resources, fleet, metricsToken }: MonitorContext): Router => {
  const router = Router();

  router.get('/', async (req, res) => {
    if (metricsToken !== undefined) assertToken(req.get('authorization') ?? '', metricsToken);
    await fleet?.refresh();
    const registries = [resources.metrics.registry, ...(fleet ? [fleet.registry] : [])];
    const texts = await Promise.all(registries.map((registry) => registry.metrics()));
    res.type(client.Registry.PROMETHEUS_CONTENT_TYPE).send(texts.join('\n'));
  });

  return router;
};

function assertToken(authorization: string, token: string): void {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (timingSafeEqual(digest(authorization), digest(`Bearer ${token}`))) return;
  throw new HttpError('Reading the metrics requires a token.', {
    status: 401,
    code: 'UNAUTHORIZED',
    hint: 'Send the value of MILLRACE_METRICS_TOKEN as "Authorization: Bearer …".',
    headers: { 'WWW-Authenticate': 'Bearer realm="metrics"' },
  });
}
