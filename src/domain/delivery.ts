import { keys } from '../lib/keys.ts';

/** The stage that delivers documents. */
export const deliverStage = 'deliver';

/** Progress of a delivery inside Millrace. */
export const deliveryStates = [
  'received',
  'scheduled',
  'queued',
  'processing',
  'waiting',
  'ended',
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The last response of the document manager, or the final result. */
export const deliveryOutcomes = [
  'none',
  'submitted',
  'not-managed',
  'try-again-later',
  'managed',
  'rejected',
  'failed',
  'cancelled',
] as const;
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

interface Meaning {
  states: readonly DeliveryState[];
  /** Absent: any outcome. */
  outcome?: DeliveryOutcome;
}

/** Public statuses, each derived from state and outcome. The first match applies. */
export const deliveryStatuses = {
  RECEIVED: { states: ['received'] },
  SCHEDULED: { states: ['scheduled'] },
  PROCESSING: { states: ['processing'] },
  SUBMITTED: { states: ['waiting', 'queued'], outcome: 'submitted' },
  NOT_MANAGED: { states: ['waiting', 'queued'], outcome: 'not-managed' },
  TRY_AGAIN_LATER: { states: ['waiting'], outcome: 'try-again-later' },
  QUEUED: { states: ['queued', 'waiting'] },
  MANAGED: { states: ['ended'], outcome: 'managed' },
  REJECTED: { states: ['ended'], outcome: 'rejected' },
  CANCELLED: { states: ['ended'], outcome: 'cancelled' },
  FAILED: { states: ['ended'] },
} satisfies Record<string, Meaning>;

export type DeliveryStatus = keyof typeof deliveryStatuses;

export function deliveryStatus(state: DeliveryState, outcome: DeliveryOutcome): DeliveryStatus {
  const found = keys(deliveryStatuses).find((status) => {
    const meaning: Meaning = deliveryStatuses[status];
    return (
      meaning.states.includes(state) &&
      (meaning.outcome === undefined || meaning.outcome === outcome)
    );
  });
  if (!found) throw new Error(`A delivery cannot be ${state}, ${outcome}`);
  return found;
}
