import type { Declare } from './declare.ts';

/** Runs of interval jobs, and the repairs they made. */
export function jobMetrics(declare: Declare) {
  const passes = declare.histogram(
    'millrace_job_duration_seconds',
    'Run time of interval jobs, by outcome: done, failed',
    [0.01, 0.1, 1, 10, 60, 600],
    ['interval_job', 'outcome'],
  );
  const lapsed = declare.counter(
    'millrace_lapsed_leases_total',
    'Tasks whose worker stopped renewing the lease, by outcome: recovered, died',
    ['outcome'],
  );
  const losses = declare.counter(
    'millrace_redis_losses_total',
    'Times Redis was found to have lost its data',
  );
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
