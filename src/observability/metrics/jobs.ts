import client, { type Registry } from 'prom-client';

/** What interval jobs did, and what they found to be repaired. */
export function jobMetrics(registers: Registry[]) {
  const passes = new client.Histogram({
    name: 'millrace_job_duration_seconds',
    help: 'Passes of interval jobs by outcome: done, failed',
    labelNames: ['interval_job', 'outcome'],
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers,
  });
  const lapsed = new client.Counter({
    name: 'millrace_lapsed_leases_total',
    help: 'Tasks whose worker gave no sign of life any more: recovered or died',
    labelNames: ['outcome'],
    registers,
  });
  const losses = new client.Counter({
    name: 'millrace_redis_losses_total',
    help: 'Times Redis was found without its data',
    registers,
  });
  return {
    jobRan(job: string, outcome: 'done' | 'failed', ms: number) {
      passes.observe({ interval_job: job, outcome }, ms / 1000);
    },
    leasesLapsed(counts: { recovered: number; died: number }) {
      for (const [outcome, count] of Object.entries(counts)) lapsed.inc({ outcome }, count);
    },
    redisLostMemory() {
      losses.inc();
    },
  };
}
