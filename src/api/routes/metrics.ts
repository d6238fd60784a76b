import { Router } from 'express';
import client from 'prom-client';
import type { MonitorContext } from '../context.ts';

export const metrics = ({ resources, fleet }: MonitorContext): Router => {
  const router = Router();

  router.get('/', async (_, res) => {
    await fleet?.refresh();
    const registries = [resources.metrics.registry, ...(fleet ? [fleet.registry] : [])];
    const texts = await Promise.all(registries.map((registry) => registry.metrics()));
    res.type(client.Registry.PROMETHEUS_CONTENT_TYPE).send(texts.join('\n'));
  });

  return router;
};
