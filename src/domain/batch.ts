/** What can be imported. MANUAL = whatever it is, found out document by document. */
export const batchTypes = ['FILES', 'MAILBOX', 'LOADFILE', 'TRANSCRIPT', 'MANUAL'] as const;
export type BatchType = (typeof batchTypes)[number];

/**
 * `open`: being filled, nothing runs. `queued`: waits for its turn. `active`: has the turn of its workspace, its documents run.
 * `redriving`: its dead letters are being sent again. `unbalanced`: all documents ended, but items are missing.
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

/** Every legal move, and nothing else. */
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

/** Where a move leads from a state; undefined = it is not allowed there. */
export function stateAfter(state: BatchState, move: BatchMove): BatchState | undefined {
  const targets: Partial<Record<BatchState, BatchState>> = batchMoves[move];
  return targets[state];
}

const verbs = {
  fill: 'take more documents',
  account: 'take note of more items',
  start: 'be started',
  finish: 'be finished',
  prioritise: 'get another priority',
  limit: 'get another ceiling',
  activate: 'become active',
  pause: 'be paused',
  resume: 'be resumed',
  release: 'lose its turn',
  redrive: 'send its dead letters again',
  endRedrive: 'end a pass over its dead letters',
  unbalance: 'be found unbalanced',
  complete: 'be completed',
  cancel: 'be cancelled',
  endCancel: 'end as cancelled',
} satisfies Record<BatchMove, string>;

const reasons = {
  open: 'it was not started yet',
  queued: 'it waits for its turn',
  active: 'it is under way',
  redriving: 'its dead letters are being sent again',
  paused: 'it is paused',
  cancelling: 'it is being cancelled',
  unbalanced: 'its items do not add up',
  completed: 'it is completed',
  cancelled: 'it was cancelled',
} satisfies Record<BatchState, string>;

/** Why a move is not allowed, in a sentence. */
export function refusal(state: BatchState, move: BatchMove): string {
  return `The batch cannot ${verbs[move]}: ${reasons[state]}.`;
}
