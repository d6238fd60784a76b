import client from 'prom-client';
import { toDollars } from '../../domain/money.ts';
import type { Declare } from './declare.ts';

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
