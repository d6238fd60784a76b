import client from 'prom-client';
import { toDollars } from '../../domain/money.ts';
import type { Declare } from './declare.ts';

export type CallOutcome = 'success' | 'failure' | 'busy' | 'refused';

/** What vendors were asked, and what it took. */
export function providerMetrics(declare: Declare) {
  const calls = declare.histogram(
    'millrace_provider_call_duration_seconds',
    'Calls to a vendor by outcome: success (also of a refused document), failure, busy; refused = held back by our own limits',
    client.exponentialBuckets(0.05, 2.5, 9),
    ['provider', 'outcome'],
  );
  const tokens = declare.counter(
    'millrace_extraction_tokens_total',
    'Tokens used by models for extraction',
    ['model', 'direction'],
  );
  const pages = declare.counter('millrace_pages_read_total', 'Pages read, by who read them', [
    'provider',
  ]);
  const cost = declare.counter(
    'millrace_cost_dollars_total',
    'US dollars that vendors were paid, by the prices that are configured',
    ['provider'],
  );
  return {
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

/** An engine is a provider and what it does the work with: `openai/gpt-4.1-mini`. */
function providerOf(engine: string): string {
  return engine.replace(/\/.*/, '');
}
