import { Router } from 'express';
import client from 'prom-client';
import type { Queues } from '../../engine/queues.ts';
import { SECOND } from '../../lib/time.ts';
import { within } from '../../lib/within.ts';
import type { Routes } from '../context.ts';

const patienceMs = 2 * SECOND;

export const metrics: Routes = ({ resources, queues }) => {
  const own = new client.Registry();
  watchQueues(own, queues);
  const all = [resources.metrics.registry, own];
  const router = Router();

  router.get('/', async (_, res) => {
    const texts = await Promise.all(all.map((registry) => registry.metrics()));
    res.type(client.Registry.PROMETHEUS_CONTENT_TYPE).send(texts.join('\n'));
  });

  return router;
};

/** Jobs by queue and state. A queue that Redis does not tell about in time is left out of the scrape. */
function watchQueues(registry: client.Registry, { byStage }: Queues): void {
  const gauge = new client.Gauge({
    name: 'millrace_queue_jobs',
    help: 'Jobs in Redis by queue and state',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      gauge.reset();
      const counted = [...byStage].map(async ([queue, jobs]) => {
        const counts = await within(patienceMs, jobs.getJobCounts());
        if (counts === 'late') return;
        for (const [state, count] of Object.entries(counts)) gauge.set({ queue, state }, count);
      });
      await Promise.allSettled(counted);
    },
  });
}
