import client from 'prom-client';
import { toDollars } from '../../domain/money.ts';
import { type Declare, declareIn } from './declare.ts';
import { jobMetrics } from './jobs.ts';
import { poolMetrics } from './pool.ts';
import { workerMetrics } from './workers.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Every metric, declared once, with one function per event. Labels have few values: never an id.
 */
export function createMetrics() {
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  const declare = declareIn(registry);

  const duration = declare.histogram(
    'millrace_stage_duration_seconds',
    'Processing time of one task in a stage',
    client.exponentialBuckets(0.005, 2.5, 12),
    ['stage', 'outcome'],
  );
  const hints = declare.counter(
    'millrace_hints_dropped_total',
    'Hints ignored by workers: malformed (no valid task reference) or stale (the task has moved on)',
    ['stage', 'reason'],
  );
  const fenced = declare.counter(
    'millrace_fenced_writes_total',
    'Results rejected because the worker no longer held the lease',
    ['stage'],
  );
  const losses = declare.counter(
    'millrace_lease_losses_total',
    'Tasks aborted because their lease was lost',
    ['stage'],
  );
  const dead = declare.counter('millrace_dead_letters_total', 'Tasks that became dead letters', [
    'stage',
    'code',
  ]);
  const reannounced = declare.counter(
    'millrace_reannounced_total',
    'Tasks announced again because Redis had lost their hint',
  );
  const saved = declare.counter(
    'millrace_work_saved_total',
    'Results reused from an earlier ingestion of the same file',
    ['stage'],
  );
  const quality = declare.histogram(
    'millrace_transcription_quality',
    'Transcription quality, from 0 to 1',
    [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
  );

  const broken = declare.gauge(
    'millrace_invariant_violations',
    'Rows that violate an invariant; any value above 0 is a bug',
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

export type CallOutcome = 'success' | 'failure' | 'busy' | 'refused';

/** Calls to vendors, and their cost. */
export function providerMetrics(declare: Declare) {
  const calls = declare.histogram(
    'millrace_provider_call_duration_seconds',
    'Duration of vendor calls, by outcome: success (including refused documents), failure, busy, refused (not sent because of our own limits)',
    client.exponentialBuckets(0.05, 2.5, 9),
    ['provider', 'outcome'],
  );
  const tokens = declare.counter(
    'millrace_extraction_tokens_total',
    'Model tokens used for extraction',
    ['model', 'direction'],
  );
  const pages = declare.counter('millrace_pages_read_total', 'Pages read, by provider', [
    'provider',
  ]);
  const cost = declare.counter(
    'millrace_cost_dollars_total',
    'Cost of vendor calls in US dollars, at the configured prices',
    ['provider'],
  );
  const storageFailures = declare.counter(
    'millrace_storage_failures_total',
    'Calls to storage that failed because it was unavailable',
  );
  return {
    storageFailed() {
      storageFailures.inc();
    },
    pagesRead(engine: string, count: number) {
      pages.inc({ provider: providerOf(engine) }, count);
    },
    paid(engine: string, micros: number) {
      cost.inc({ provider: providerOf(engine) }, toDollars(micros));
    },
    providerCalled(provider: string, outcome: CallOutcome, ms: number) {
      calls.observe({ provider, outcome }, ms / 1000);
    },
    extracted(model: string, { input, output }: { input: number; output: number }) {
      tokens.inc({ model, direction: 'input' }, input);
      tokens.inc({ model, direction: 'output' }, output);
    },
  };
}

/** Engines are named `provider/model`: `openai/gpt-4.1-mini`. */
function providerOf(engine: string): string {
  return engine.replace(/\/.*/, '');
}
