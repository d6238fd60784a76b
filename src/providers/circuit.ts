import { NotFoundError, StorageRefusedError, StorageUnavailableError } from '../errors.ts';
import { monotonicNow, SECOND } from '../lib/time.ts';
import type { Breaker } from '../storage/storage.ts';
import type { AdmissionVerdict, GovernorStore, Limits } from './governor/store.ts';

/** How long an answer of Redis is trusted: storage is called too often to ask each time. */
const trustMs = 1 * SECOND;

export interface CircuitOptions {
  name: string;
  limits: Limits;
  store: GovernorStore;
  onFailure(): void;
}

/**
 * A circuit breaker that all processes share, for calls that are neither counted nor limited. While
 * it is open one process at a time makes one call, to find out whether the outage is over.
 */
export function openCircuit({ name, limits, store, onFailure }: CircuitOptions): Breaker {
  let closedUntil = 0;
  let openUntil = 0;
  let asking: Promise<AdmissionVerdict> | undefined;
  // Successes are reported only after a failure: they would double the calls to Redis.
  let isFailing = false;

  const ask = () => {
    asking ??= store.admit(name, limits).finally(() => {
      asking = undefined;
    });
    return asking;
  };

  const refuse = (waitMs: number): never => {
    openUntil = monotonicNow() + Math.min(waitMs, trustMs);
    throw new StorageUnavailableError(`The circuit breaker for ${name} is open`, waitMs);
  };

  const assertClosed = () => {
    const waitMs = openUntil - monotonicNow();
    if (waitMs > 0) refuse(waitMs);
  };

  /** Returns whether the call is the probe of an open breaker. */
  async function enter(): Promise<boolean> {
    assertClosed();
    if (monotonicNow() < closedUntil) return false;
    const isFirst = asking === undefined;
    const verdict = await ask();
    if (!verdict.admitted) return refuse(verdict.waitMs);
    // Callers that asked together got one admission.
    if (verdict.probe && !isFirst) return refuse(limits.coolDownMs);
    if (!verdict.probe) closedUntil = monotonicNow() + trustMs;
    return verdict.probe;
  }

  async function settle(kind: 'success' | 'failure' | 'void', probe: boolean): Promise<void> {
    const isNews = kind === 'failure' || probe || (kind === 'success' && isFailing);
    if (!isNews) return;
    if (kind === 'failure') {
      onFailure();
      closedUntil = 0;
    }
    if (kind !== 'void') isFailing = kind === 'failure';
    await store.settle(name, limits, { kind, probe });
  }

  return {
    async run(call) {
      const probe = await enter();
      const result = await call().catch(async (error: unknown) => {
        await settle(endingOf(error), probe);
        throw error;
      });
      await settle('success', probe);
      return result;
    },
    assertClosed: async () => assertClosed(),
    failed: () => void settle('failure', false),
  };
}

/** An answer of any kind shows that storage is there; an aborted call proves nothing. */
function endingOf(error: unknown): 'success' | 'failure' | 'void' {
  if (error instanceof StorageUnavailableError) return 'failure';
  return error instanceof NotFoundError || error instanceof StorageRefusedError
    ? 'success'
    : 'void';
}
