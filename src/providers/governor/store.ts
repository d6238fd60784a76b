/** How much of a provider may be used, by all workers together. */
export interface Limits {
  requestsPerMinute: number;
  /** Failures in a row that open the breaker. */
  failures: number;
  /** How long the breaker stays open before one call may probe. */
  coolDownMs: number;
}

export type AdmissionVerdict =
  | { admitted: true; probe: boolean }
  | { admitted: false; waitMs: number; reason: 'paused' | 'broken' | 'budget' };

/** How an admitted call ended; `void` says nothing about the provider. */
export type Ending =
  | { kind: 'success' | 'failure' | 'void'; probe: boolean }
  | { kind: 'busy'; probe: boolean; pauseMs: number };

/** What is known of providers. Knowing nothing means a full budget and a closed breaker. */
export interface GovernorStore {
  admit(provider: string, limits: Limits): Promise<AdmissionVerdict>;
  settle(provider: string, limits: Limits, ending: Ending): Promise<void>;
}
