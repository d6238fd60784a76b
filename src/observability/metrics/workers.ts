import type { Declare } from './declare.ts';

/** The life of worker processes. */
export function workerMetrics(declare: Declare) {
  const retired = declare.counter(
    'millrace_worker_retirements_total',
    'Workers that made way for another: their lifetime was used up, or their memory had grown',
    ['reason'],
  );
  return {
    workerRetired(reason: 'lifetime' | 'memory') {
      retired.inc({ reason });
    },
  };
}
