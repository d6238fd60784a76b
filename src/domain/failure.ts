import type { ProblemCode } from './problem.ts';

/** What is done about a failure. */
export type Strategy =
  /** A dead letter at once: trying again cannot help. */
  | 'reject'
  /** Later, without counting an attempt, until the document has waited too long. */
  | 'postpone'
  /** Counts an attempt, waits longer each time, goes on from the stage that failed; a dead letter when they are used up. */
  | 'retry'
  /** Counts an attempt the first time; the second time the document is completed for a person to look at. */
  | 'retry-once-then-review'
  /** Completed for a person to look at. */
  | 'review';

interface Failure {
  strategy: Strategy;
  /** What the dead letter says when the failure has no code of its own. */
  code: ProblemCode;
}

/** Every kind of failure and what is done about it: one way for those that are thrown and those that the gate finds. */
export const failures = {
  'unusable document': { strategy: 'reject', code: 'INVALID_FILE' },
  'provider throttled': { strategy: 'postpone', code: 'GAVE_UP_WAITING' },
  'disk full': { strategy: 'postpone', code: 'GAVE_UP_WAITING' },
  'stage timeout': { strategy: 'retry', code: 'TOO_SLOW' },
  'out of memory': { strategy: 'retry', code: 'OUT_OF_MEMORY' },
  'child process lost': { strategy: 'retry', code: 'WORKER_LOST' },
  'destination error': { strategy: 'retry', code: 'DESTINATION_FAILED' },
  'forbidden destination': { strategy: 'reject', code: 'DESTINATION_UNUSABLE' },
  'provider, storage or other error': { strategy: 'retry', code: 'INTERNAL' },
  'extraction incomplete': { strategy: 'retry-once-then-review', code: 'EXTRACTION_INCOMPLETE' },
  'critical fields missing': { strategy: 'review', code: 'EXTRACTION_INCOMPLETE' },
} as const satisfies Record<string, Failure>;

export type FailureKind = keyof typeof failures;
