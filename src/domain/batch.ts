/** What a batch imports. MANUAL: the type of each document is detected. */
export const batchTypes = ['FILES', 'MAILBOX', 'LOADFILE', 'TRANSCRIPT', 'MANUAL'] as const;
export type BatchType = (typeof batchTypes)[number];

/**
 * `open`: accepts documents, nothing runs. `queued`: waits for its turn.
 * `active`: has the turn of its workspace, its documents run.
 * `redriving`: its dead letters are being replayed.
 * `unbalanced`: all documents finished, but items are missing.
 */
export const batchStates = [
  'open',
  'queued',
  'active',
  'redriving',
  'paused',
  'cancelling',
  'unbalanced',
  'completed',
  'cancelled',
] as const;
export type BatchState = (typeof batchStates)[number];

/** Every legal transition. */
// biome-ignore format: read it as a table
export const batchMoves = {
  fill:         { open: 'open', queued: 'queued', active: 'active', paused: 'paused' },
  start:        { open: 'queued' },
  account:      { open: 'open', queued: 'queued', active: 'active', paused: 'paused', unbalanced: 'unbalanced' },
  finish:       { open: 'open', queued: 'queued', active: 'active', paused: 'paused', unbalanced: 'unbalanced' },
  prioritise:   { open: 'open', queued: 'queued', active: 'active', redriving: 'redriving', paused: 'paused' },
  limit:        { open: 'open', queued: 'queued', active: 'active', redriving: 'redriving', paused: 'paused' },
  activate:     { queued: 'active' },
  pause:        { queued: 'paused', active: 'paused' },
  resume:       { paused: 'queued' },
  release:      { active: 'paused', redriving: 'paused' },
  redrive:      { active: 'redriving' },
  endRedrive:   { redriving: 'active' },
  unbalance:    { active: 'unbalanced' },
  complete:     { active: 'completed', unbalanced: 'completed' },
  cancel:       { open: 'cancelling', queued: 'cancelling', active: 'cancelling', redriving: 'cancelling', paused: 'cancelling', unbalanced: 'cancelling' },
  endCancel:    { cancelling: 'cancelled' },
} as const satisfies Record<string, Partial<Record<BatchState, BatchState>>>;
export type BatchMove = keyof typeof batchMoves;

/** The state after a move; undefined when the move is not allowed in this state. */
export function stateAfter(state: BatchState, move: BatchMove): BatchState | undefined {
  const targets: Partial<Record<BatchState, BatchState>> = batchMoves[move];
  return targets[state];
}

const verbs = {
  fill: 'take more documents',
  account: 'record more items',
  start: 'be started',
  finish: 'be finished',
  prioritise: 'change its priority',
  limit: 'change its cost limit',
  activate: 'become active',
  pause: 'be paused',
  resume: 'be resumed',
  release: 'lose its turn',
  redrive: 'replay its dead letters',
  endRedrive: 'end the replay of its dead letters',
  unbalance: 'become unbalanced',
  complete: 'be completed',
  cancel: 'be cancelled',
  endCancel: 'finish its cancellation',
} satisfies Record<BatchMove, string>;

const reasons = {
  open: 'it has not been started',
  queued: 'it is queued',
  active: 'it is running',
  redriving: 'its dead letters are being replayed',
  paused: 'it is paused',
  cancelling: 'it is being cancelled',
  unbalanced: 'its items do not add up',
  completed: 'it is completed',
  cancelled: 'it was cancelled',
} satisfies Record<BatchState, string>;

/** Error message for a move that is not allowed. */
export function refusal(state: BatchState, move: BatchMove): string {
  return `The batch cannot ${verbs[move]}: ${reasons[state]}.`;
}
