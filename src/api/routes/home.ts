import { Router } from 'express';
import type { Routes } from '../context.ts';

const links = {
  documents: '/v1/documents',
  batches: '/v1/batches',
  formats: '/v1/formats',
  schemas: '/v1/schemas',
  events: '/v1/events',
  destinations: '/v1/destinations',
  deliveries: '/v1/deliveries',
  webhooks: '/v1/webhooks',
  deadLetters: '/admin/dlq',
  queues: '/admin/queues',
  jobs: '/admin/jobs',
  statistics: '/admin/statistics',
  docs: '/docs',
  openapi: '/openapi.json',
  live: '/livez',
  ready: '/readyz',
  metrics: '/metrics',
};

export const home: Routes = () => {
  const router = Router();
  router.get('/', (_, res) => {
    res.json({ name: 'millrace', links });
  });
  return router;
};
