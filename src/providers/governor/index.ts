import { BusyError, PermanentError } from '../../errors.ts';
import { monotonicNow } from '../../lib/time.ts';
import type { AdmissionVerdict, Ending, GovernorStore, Limits } from './store.ts';

/** Controls each request to a provider: rate limit, requested pauses and circuit breaker. */
export interface Governor {
  /** Throws BusyError without calling while the provider must not be called. */
  run<Result>(call: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

export const ungoverned: Governor = { run: (call) => call() };

export interface GovernorOptions {
  /** Workers with the same provider name share its budget, pauses and circuit breaker. */
  provider: string;
  limits: Limits;
  store: GovernorStore;
  /** Called after every request, and for every refused one. */
  onCall?: (outcome: 'success' | 'failure' | 'busy' | 'refused', ms: number) => void;
  /** Returns a number from 0 to 1, for jitter. */
  random?: () => number;
}

export function openGovernor(options: GovernorOptions): Governor {
  const { provider, limits, store, onCall = () => undefined, random = Math.random } = options;
  return {
    async run(call, signal) {
      const verdict = await store.admit(provider, limits);
      if (!verdict.admitted) {
        onCall('refused', 0);
        throw new BusyError(reasons[verdict.reason](provider), addJitter(verdict.waitMs, random()));
      }
      const { probe } = verdict;
      const startedAt = monotonicNow();
      const settle = async (ending: Ending) => {
        if (ending.kind !== 'void') onCall(ending.kind, monotonicNow() - startedAt);
        await store.settle(provider, limits, ending);
      };
      const result = await call().catch(async (error: unknown) => {
        await settle(endingOf(error, probe, signal));
        throw error;
      });
      await settle({ kind: 'success', probe });
      return result;
    },
  };
}

/** Adds jitter: otherwise all waiting tasks would retry at once, most of them in vain. */
function addJitter(waitMs: number, by: number): number {
  const least = Math.max(waitMs, 1_000);
  return Math.ceil(least + by * Math.min(least, 10_000));
}

const reasons: Record<
  (AdmissionVerdict & { admitted: false })['reason'],
  (provider: string) => string
> = {
  paused: (provider) => `${provider} asked to pause requests.`,
  broken: (provider) => `The circuit breaker for ${provider} is open after repeated failures.`,
  budget: (provider) => `The limit of requests per minute to ${provider} is reached.`,
};

/** Rejecting a document shows a healthy provider; an aborted call proves nothing either way. */
function endingOf(error: unknown, probe: boolean, signal: AbortSignal): Ending {
  if (error instanceof BusyError) return { kind: 'busy', probe, pauseMs: error.retryAfterMs };
  if (error instanceof PermanentError) return { kind: 'success', probe };
  return { kind: signal.aborted ? 'void' : 'failure', probe };
}
