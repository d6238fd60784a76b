import client from 'prom-client';
import { declareIn } from './declare.ts';
import { jobMetrics } from './jobs.ts';
import { poolMetrics } from './pool.ts';
import { providerMetrics } from './providers.ts';
import { workerMetrics } from './workers.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Every metric, declared once; one function per business event. Labels stay few: never an id. */
export function createMetrics() {
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  const declare = declareIn(registry);

  const duration = declare.histogram(
    'millrace_stage_duration_seconds',
    'Time a stage worked on one task',
    client.exponentialBuckets(0.005, 2.5, 12),
    ['stage', 'outcome'],
  );
  const hints = declare.counter(
    'millrace_hints_dropped_total',
    'Jobs that led to no work: malformed (no pointer) or stale (their task has moved on)',
    ['stage', 'reason'],
  );
  const fenced = declare.counter(
    'millrace_fenced_writes_total',
    'Results refused because the lease had been lost',
    ['stage'],
  );
  const losses = declare.counter(
    'millrace_lease_losses_total',
    'Tasks stopped because their lease was lost',
    ['stage'],
  );
  const dead = declare.counter('millrace_dead_letters_total', 'Tasks that died', ['stage', 'code']);
  const reannounced = declare.counter(
    'millrace_reannounced_total',
    'Tasks whose hint was given again because Redis had lost it',
  );
  const saved = declare.counter(
    'millrace_work_saved_total',
    'Results taken over from an earlier ingestion of the same bytes instead of being paid for again',
    ['stage'],
  );
  const quality = declare.histogram(
    'millrace_transcription_quality',
    'Quality of transcriptions, 0 to 1',
    [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
  );

  const broken = declare.gauge(
    'millrace_invariant_violations',
    'Rows that break an invariant; anything but 0 is a bug',
    ['invariant'],
  );

  return {
    registry,
    invariantBroken(invariant: string, count: number) {
      broken.set({ invariant }, count);
    },
    ...providerMetrics(declare),
    ...jobMetrics(declare),
    ...poolMetrics(registry),
    ...workerMetrics(declare),
    taskFinished(stage: string, outcome: string, ms: number) {
      duration.observe({ stage, outcome }, ms / 1000);
    },
    hintDropped(stage: string, reason: 'malformed' | 'stale') {
      hints.inc({ stage, reason });
    },
    writeFenced(stage: string) {
      fenced.inc({ stage });
    },
    leaseLost(stage: string) {
      losses.inc({ stage });
    },
    taskDied(stage: string, code: string) {
      dead.inc({ stage, code });
    },
    workSaved(stage: string) {
      saved.inc({ stage });
    },
    hintsRestored(count: number) {
      reannounced.inc(count);
    },
    transcribed(score: number) {
      quality.observe(score);
    },
  };
}
