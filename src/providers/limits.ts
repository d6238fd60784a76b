import { SpanKind } from '@opentelemetry/api';
import type { ProviderHolds } from '../domain/circumstances.ts';
import type { RedisClient } from '../lib/redis-client.ts';
import { SECOND } from '../lib/time.ts';
import type { Log } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics/index.ts';
import type { Tracing } from '../observability/tracing/index.ts';
import type { Breaker } from '../storage/storage.ts';
import { openCircuit } from './circuit.ts';
import { type Governor, openGovernor } from './governor/index.ts';
import { inspectProvider } from './governor/inspect.ts';
import { openMemoryStore } from './governor/memory-store.ts';
import { openRedisStore } from './governor/redis-store.ts';
import { withStandby } from './governor/standby.ts';
import type { Limits } from './governor/store.ts';

export type Govern = (provider: string, requestsPerMinute: number) => Governor;

export interface Providers {
  govern: Govern;
  /** The circuit breaker of storage. */
  storageBreaker: Breaker;
  /** State of each governed provider and of storage. Throws if Redis is unavailable. */
  states(): Promise<ProviderHolds[]>;
}

export interface ProvidersOptions {
  prefix: string;
  log: Log;
  metrics: Pick<Metrics, 'providerCalled' | 'storageFailed'>;
  tracing: Tracing;
}

const storage = 'storage';

/** Probed more often than a vendor: a probe costs nothing, and all documents wait for it. */
const storageLimits: Limits = {
  requestsPerMinute: Number.MAX_SAFE_INTEGER,
  failures: 5,
  coolDownMs: 5 * SECOND,
};

/** Governors that share budgets and circuit breakers between all workers through Redis. */
export function openProviders(
  redis: RedisClient,
  { prefix, log, metrics, tracing }: ProvidersOptions,
): Providers {
  const store = withStandby(openRedisStore(redis, { prefix }), openMemoryStore(), log);
  const governed = new Map<string, Limits>([[storage, storageLimits]]);
  const onFailure = () => metrics.storageFailed();
  return {
    storageBreaker: openCircuit({ name: storage, limits: storageLimits, store, onFailure }),
    govern(provider, requestsPerMinute) {
      const limits = { requestsPerMinute, failures: 5, coolDownMs: 30 * SECOND };
      governed.set(provider, limits);
      const onCall: Parameters<typeof openGovernor>[0]['onCall'] = (outcome, ms) =>
        metrics.providerCalled(provider, outcome, ms);
      const { run } = openGovernor({ provider, limits, store, onCall });
      const options = { kind: SpanKind.CLIENT, attributes: { 'millrace.provider': provider } };
      return {
        run: (call, signal) => tracing.span(`call ${provider}`, options, () => run(call, signal)),
      };
    },
    states: () =>
      Promise.all(
        [...governed].map(([provider, limits]) =>
          inspectProvider(redis, { prefix, provider, limits }),
        ),
      ),
  };
}
