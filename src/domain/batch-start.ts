import type { BatchState } from './batch.ts';

/** Possible results of starting a batch, and what follows from each. */
export const startResults = {
  continue: 'The batch was started and is queued.',
  cancelled: 'The batch was cancelled and cannot be started. Create another batch.',
  duplicate: 'The batch was already started. This request changed nothing.',
  incomplete:
    'The batch was started but is blocked. If it is paused, resume it; if its items do not add up, account for the missing ones.',
  'database-error': 'The database did not answer. Send the request again later; this is safe.',
} as const;
export type StartResult = keyof typeof startResults;

const byState = {
  open: 'continue',
  queued: 'duplicate',
  active: 'duplicate',
  redriving: 'duplicate',
  completed: 'duplicate',
  paused: 'incomplete',
  unbalanced: 'incomplete',
  cancelling: 'cancelled',
  cancelled: 'cancelled',
} as const satisfies Record<BatchState, StartResult>;

/** The result when the database answers. */
export function startResult(state: BatchState): (typeof byState)[BatchState] {
  return byState[state];
}
