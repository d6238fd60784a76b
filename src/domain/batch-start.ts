import type { BatchState } from './batch.ts';

/** What a look at a batch before its start comes to: exactly one of five, and what follows from it. */
export const startResults = {
  continue: 'It is started and waits for its turn.',
  cancelled: 'Nothing is started, now or later: make another batch.',
  duplicate: 'It was started before; nothing is done twice.',
  incomplete:
    'It was started and stands still: resume it if it is paused, account for its items if they do not add up.',
  'database-error': 'Nothing is known to have changed: it is tried again later, which is safe.',
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

/** The result where the database could be asked. */
export function startResult(state: BatchState): (typeof byState)[BatchState] {
  return byState[state];
}
