import client, { type Registry } from 'prom-client';

/** The life of worker processes. */
export function workerMetrics(registers: Registry[]) {
  const retired = new client.Counter({
    name: 'millrace_worker_retirements_total',
    help: 'Workers that made way for another: their lifetime was used up, or their memory had grown',
    labelNames: ['reason'],
    registers,
  });
  return {
    workerRetired(reason: 'lifetime' | 'memory') {
      retired.inc({ reason });
    },
  };
}
