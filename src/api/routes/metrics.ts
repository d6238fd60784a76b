import { Router } from 'express';
import client from 'prom-client';
import type { Routes } from '../context.ts';

export const metrics: Routes = ({ resources, fleet }) => {
  const router = Router();

  router.get('/', async (_, res) => {
    await fleet?.refresh();
    const registries = [resources.metrics.registry, ...(fleet ? [fleet.registry] : [])];
    const texts = await Promise.all(registries.map((registry) => registry.metrics()));
    res.type(client.Registry.PROMETHEUS_CONTENT_TYPE).send(texts.join('\n'));
  });

  return router;
};
