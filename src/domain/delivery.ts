import { keys } from '../lib/keys.ts';

/** The stage that hands documents over. */
export const deliverStage = 'deliver';

/** Where a delivery is with us. */
export const deliveryStates = [
  'received',
  'scheduled',
  'queued',
  'processing',
  'waiting',
  'ended',
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** What the document manager said last, or how it ended. */
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
  /** Any when absent. */
  outcome?: DeliveryOutcome;
}

/** The statuses people see, each a view of state and outcome. The first that fits. */
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
