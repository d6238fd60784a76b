import client, { type Registry } from 'prom-client';

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
  return {
    providerCalled(provider: string, outcome: CallOutcome, ms: number) {
      calls.observe({ provider, outcome }, ms / 1000);
    },
    extracted(model: string, { input, output }: { input: number; output: number }) {
      tokens.inc({ model, direction: 'input' }, input);
      tokens.inc({ model, direction: 'output' }, output);
    },
  };
}
