import client, { type Registry } from 'prom-client';
import { dollarsOf } from '../../domain/money.ts';

export type CallOutcome = 'success' | 'failure' | 'busy' | 'refused';

/** What vendors were asked, and what it took. */
export function providerMetrics(registers: Registry[]) {
  const calls = new client.Histogram({
    name: 'millrace_provider_call_duration_seconds',
    help: 'Calls to a vendor by outcome: success (also of a refused document), failure, busy; refused = held back by our own limits',
    labelNames: ['provider', 'outcome'],
    buckets: client.exponentialBuckets(0.05, 2.5, 9),
    registers,
  });
  const tokens = new client.Counter({
    name: 'millrace_extraction_tokens_total',
    help: 'Tokens used by models for extraction',
    labelNames: ['model', 'direction'],
    registers,
  });
  const pages = new client.Counter({
    name: 'millrace_pages_read_total',
    help: 'Pages read, by who read them',
    labelNames: ['provider'],
    registers,
  });
  const cost = new client.Counter({
    name: 'millrace_cost_dollars_total',
    help: 'US dollars that vendors were paid, by the prices that are configured',
    labelNames: ['provider'],
    registers,
  });
  return {
    pagesRead(engine: string, count: number) {
      pages.inc({ provider: providerOf(engine) }, count);
    },
    paid(engine: string, micros: number) {
      cost.inc({ provider: providerOf(engine) }, dollarsOf(micros));
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
