import { MINUTE } from '../../lib/time.ts';
import type { AdmissionVerdict, Ending, GovernorStore, Limits } from './store.ts';

interface State {
  calls: number[];
  pausedUntil: number;
  failures: number;
  openUntil: number;
  probeUntil: number;
}

/** Counts calls of this process only. Fallback for the shared store, with the same behaviour. */
export function openMemoryStore(now: () => number = Date.now): GovernorStore {
  const states = new Map<string, State>();
  const stateOf = (provider: string): State => {
    const state = states.get(provider) ?? {
      calls: [],
      pausedUntil: 0,
      failures: 0,
      openUntil: 0,
      probeUntil: 0,
    };
    states.set(provider, state);
    return state;
  };
  return {
    admit: async (provider, limits) => admit(stateOf(provider), limits, now()),
    settle: async (provider, limits, ending) => settle(stateOf(provider), limits, ending, now()),
  };
}

function admit(state: State, limits: Limits, now: number): AdmissionVerdict {
  if (state.pausedUntil > now)
    return { admitted: false, waitMs: state.pausedUntil - now, reason: 'paused' };
  const probe = state.failures >= limits.failures;
  const brokenUntil = probe ? Math.max(state.openUntil, state.probeUntil) : 0;
  if (brokenUntil > now) return { admitted: false, waitMs: brokenUntil - now, reason: 'broken' };
  state.calls = state.calls.filter((at) => at > now - MINUTE);
  const [earliest] = state.calls;
  if (earliest !== undefined && state.calls.length >= limits.requestsPerMinute) {
    return { admitted: false, waitMs: earliest + MINUTE - now, reason: 'budget' };
  }
  state.calls.push(now);
  if (probe) state.probeUntil = now + limits.coolDownMs;
  return { admitted: true, probe };
}

function settle(state: State, limits: Limits, ending: Ending, now: number): void {
  const open = state.failures >= limits.failures;
  if (ending.probe) state.probeUntil = 0;
  if (ending.kind === 'busy') state.pausedUntil = Math.max(state.pausedUntil, now + ending.pauseMs);
  // Calls that started before the breaker opened no longer affect it.
  if (ending.kind === 'void' || ending.kind === 'busy' || (open && !ending.probe)) return;
  state.failures = ending.kind === 'success' ? 0 : state.failures + 1;
  if (state.failures >= limits.failures) state.openUntil = now + limits.coolDownMs;
}
