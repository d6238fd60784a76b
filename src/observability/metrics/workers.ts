import type { Declare } from './declare.ts';

/** Lifecycle of worker processes. */
export function workerMetrics(declare: Declare) {
  const retired = declare.counter(
    'millrace_worker_retirements_total',
    'Workers replaced, by reason: lifetime (maximum age reached), memory (memory limit reached)',
    ['reason'],
  );
  return {
    workerRetired(reason: 'lifetime' | 'memory') {
      retired.inc({ reason });
    },
  };
}
