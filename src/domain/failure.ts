import type { ProblemCode } from './problem.ts';

/** How a failure is handled. */
export type Strategy =
  /** Dead letter at once: a retry cannot succeed. */
  | 'reject'
  /** Try later without counting an attempt, until `giveUpAt`. */
  | 'postpone'
  /** Retry the failed stage with growing delays; dead letter when all attempts are used up. */
  | 'retry'
  /** Retry once, then complete the document and flag it for review. */
  | 'retry-once-then-review'
  /** Complete the document and flag it for review. */
  | 'review';

interface Failure {
  strategy: Strategy;
  /** Code of the dead letter when the failure has none of its own. */
  code: ProblemCode;
}

/** How each kind of failure is handled, whether an error was thrown or the gate found it. */
export const failures = {
  'unusable document': { strategy: 'reject', code: 'INVALID_FILE' },
  'provider throttled': { strategy: 'postpone', code: 'GAVE_UP_WAITING' },
  'storage unavailable': { strategy: 'postpone', code: 'GAVE_UP_WAITING' },
  'storage refused': { strategy: 'reject', code: 'STORAGE_REFUSED' },
  'sandbox busy': { strategy: 'postpone', code: 'GAVE_UP_WAITING' },
  'disk full': { strategy: 'postpone', code: 'GAVE_UP_WAITING' },
  'stage timeout': { strategy: 'retry', code: 'TOO_SLOW' },
  'out of memory': { strategy: 'retry', code: 'OUT_OF_MEMORY' },
  'child process lost': { strategy: 'retry', code: 'WORKER_LOST' },
  'destination error': { strategy: 'retry', code: 'DESTINATION_FAILED' },
  'forbidden destination': { strategy: 'reject', code: 'DESTINATION_UNUSABLE' },
  'provider or other error': { strategy: 'retry', code: 'INTERNAL' },
  'extraction incomplete': { strategy: 'retry-once-then-review', code: 'EXTRACTION_INCOMPLETE' },
  'critical fields missing': { strategy: 'review', code: 'EXTRACTION_INCOMPLETE' },
} as const satisfies Record<string, Failure>;

export type FailureKind = keyof typeof failures;
