import client from 'prom-client';
import { jobMetrics } from './metrics/jobs.ts';
import { poolMetrics } from './metrics/pool.ts';
import { providerMetrics } from './metrics/providers.ts';
import { workerMetrics } from './metrics/workers.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Every metric, declared once; one function per business event. Labels stay few: never an id. */
export function createMetrics() {
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  const registers = [registry];

  const duration = new client.Histogram({
    name: 'millrace_stage_duration_seconds',
    help: 'Time a stage worked on one task',
    labelNames: ['stage', 'outcome'],
    buckets: client.exponentialBuckets(0.005, 2.5, 12),
    registers,
  });
  const hints = new client.Counter({
    name: 'millrace_hints_dropped_total',
    help: 'Jobs that led to no work: malformed (no pointer) or stale (their task has moved on)',
    labelNames: ['stage', 'reason'],
    registers,
  });
  const fenced = new client.Counter({
    name: 'millrace_fenced_writes_total',
    help: 'Results refused because the lease had been lost',
    labelNames: ['stage'],
    registers,
  });
  const losses = new client.Counter({
    name: 'millrace_lease_losses_total',
    help: 'Tasks stopped because their lease was lost',
    labelNames: ['stage'],
    registers,
  });
  const dead = new client.Counter({
    name: 'millrace_dead_letters_total',
    help: 'Tasks that died',
    labelNames: ['stage', 'code'],
    registers,
  });
  const reannounced = new client.Counter({
    name: 'millrace_reannounced_total',
    help: 'Tasks whose hint was given again because Redis had lost it',
    registers,
  });
  const saved = new client.Counter({
    name: 'millrace_work_saved_total',
    help: 'Results taken over from an earlier ingestion of the same bytes instead of being paid for again',
    labelNames: ['stage'],
    registers,
  });
  const quality = new client.Histogram({
    name: 'millrace_transcription_quality',
    help: 'Quality of transcriptions, 0 to 1',
    buckets: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
    registers,
  });

  const broken = new client.Gauge({
    name: 'millrace_invariant_violations',
    help: 'Rows that break an invariant; anything but 0 is a bug',
    labelNames: ['invariant'],
    registers,
  });

  return {
    registry,
    invariantBroken(invariant: string, count: number) {
      broken.set({ invariant }, count);
    },
    ...providerMetrics(registers),
    ...jobMetrics(registers),
    ...poolMetrics(registers),
    ...workerMetrics(registers),
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
