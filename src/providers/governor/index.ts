import { BusyError, PermanentError } from '../../errors.ts';
import { monotonicNow } from '../../lib/time.ts';
import type { AdmissionVerdict, Ending, GovernorStore, Limits } from './store.ts';

/** Lets calls to a provider through, each request by itself, as far as its budget and its health allow. */
export interface Governor {
  /** Throws BusyError instead of calling when the provider should be left alone. */
  run<Result>(call: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

/** Where nobody counts. */
export const ungoverned: Governor = { run: (call) => call() };

export interface GovernorOptions {
  /** Workers that name the same provider share its budget, its pauses and its breaker. */
  provider: string;
  limits: Limits;
  store: GovernorStore;
  /** Told of every call, and of every one that was held back. */
  onCall?: (outcome: 'success' | 'failure' | 'busy' | 'refused', ms: number) => void;
  /** From 0 to 1. */
  random?: () => number;
}

export function openGovernor(options: GovernorOptions): Governor {
  const { provider, limits, store, onCall = () => undefined, random = Math.random } = options;
  return {
    async run(call, signal) {
      const verdict = await store.admit(provider, limits);
      if (!verdict.admitted) {
        onCall('refused', 0);
        throw new BusyError(reasons[verdict.reason](provider), spread(verdict.waitMs, random()));
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

/** All who wait would otherwise come back in the same moment, and most of them in vain. */
function spread(waitMs: number, by: number): number {
  const least = Math.max(waitMs, 1_000);
  return Math.ceil(least + by * Math.min(least, 10_000));
}

const reasons: Record<
  (AdmissionVerdict & { admitted: false })['reason'],
  (provider: string) => string
> = {
  paused: (provider) => `${provider} asked to be left alone for a while.`,
  broken: (provider) => `${provider} failed too often in a row and is given time to recover.`,
  budget: (provider) => `The requests a minute for ${provider} are used up.`,
};

/** A provider that refuses a document is well; one that is interrupted has shown nothing. */
function endingOf(error: unknown, probe: boolean, signal: AbortSignal): Ending {
  if (error instanceof BusyError) return { kind: 'busy', probe, pauseMs: error.retryAfterMs };
  if (error instanceof PermanentError) return { kind: 'success', probe };
  return { kind: signal.aborted ? 'void' : 'failure', probe };
}
