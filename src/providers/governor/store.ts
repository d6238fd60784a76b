export interface Limits {
  requestsPerMinute: number;
  /** Consecutive failures that open the circuit breaker. */
  failures: number;
  /** How long the breaker stays open before it lets one probe call through. */
  coolDownMs: number;
}

export type AdmissionVerdict =
  | { admitted: true; probe: boolean }
  | { admitted: false; waitMs: number; reason: 'paused' | 'broken' | 'budget' };

/** Result of an admitted call; `void` does not affect the provider's state. */
export type Ending =
  | { kind: 'success' | 'failure' | 'void'; probe: boolean }
  | { kind: 'busy'; probe: boolean; pauseMs: number };

/** Provider state. The initial state is a full budget and a closed breaker. */
export interface GovernorStore {
  admit(provider: string, limits: Limits): Promise<AdmissionVerdict>;
  settle(provider: string, limits: Limits, ending: Ending): Promise<void>;
}
