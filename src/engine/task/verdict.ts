import { type FailureKind, failures } from '../../domain/failure.ts';
import type { ProblemCode } from '../../domain/problem.ts';
import {
  BusyError,
  LargeDocumentError,
  PermanentError,
  StorageRefusedError,
  StorageUnavailableError,
} from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { findCause } from '../../lib/find-cause.ts';
import { SECOND } from '../../lib/time.ts';
import { OutgoingError } from '../../outgoing/outgoing-error.ts';
import { SandboxCrashError, SandboxTimeoutError } from '../../sandbox/errors.ts';
import { BudgetError } from '../budget/budget-error.ts';
import { type Outcome, reject, snooze } from '../pipeline/outcome.ts';

/** How a run ended: the stage's own outcome, or what happened instead. */
export type RunVerdict =
  | Outcome
  | { kind: 'retry'; code: ProblemCode; reason: string; stack: string | undefined }
  /** Too large for this lane: moves to the large one. No attempt is charged. */
  | { kind: 'enlarge' }
  /** The process is shutting down: the task is handed back. No attempt is charged. */
  | { kind: 'release' }
  /** The lease was lost; another worker owns the task now. */
  | { kind: 'lost' };

export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}
export class ShutdownError extends Error {
  override readonly name = 'ShutdownError';
}
export class StageTimeoutError extends Error {
  override readonly name = 'StageTimeoutError';
}
/** Other documents occupied the sandbox for too long. Nothing is wrong with this one. */
export class SandboxBusyError extends Error {
  override readonly name = 'SandboxBusyError';
}

const defaultDelayMs = 30 * SECOND;

export function toVerdict(error: unknown): RunVerdict {
  if (error instanceof LeaseLostError) return { kind: 'lost' };
  if (error instanceof ShutdownError) return { kind: 'release' };
  if (error instanceof BudgetError)
    return snooze(error.waitMs, error.message, { held: error.held });
  if (error instanceof LargeDocumentError) return { kind: 'enlarge' };
  const { strategy, code } = failures[classifyFailure(error)];
  const reason = describeError(error);
  switch (strategy) {
    case 'reject':
      return reject(error instanceof PermanentError ? error.code : code, withHint(error, reason));
    case 'postpone':
      return postpone(error, reason);
    case 'retry':
      return {
        kind: 'retry',
        code,
        reason,
        stack: error instanceof Error ? error.stack : undefined,
      };
    default:
      return strategy satisfies never;
  }
}

function postpone(error: unknown, reason: string): Outcome {
  const outage = findCause(error, StorageUnavailableError);
  if (outage) return snooze(outage.retryAfterMs, reason, { outage: 'storage' });
  return snooze(error instanceof BusyError ? error.retryAfterMs : defaultDelayMs, reason);
}

function withHint(error: unknown, reason: string): string {
  const refusal = findCause(error, StorageRefusedError);
  return refusal ? `${reason}. ${refusal.hint}` : reason;
}

/** Postgres rejected the result: a failure with a reason, which an expired lease would not have. */
export function unwritable(error: unknown): Extract<RunVerdict, { kind: 'retry' }> {
  // The outer error contains the whole statement with its values; only the cause is reported.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = `The result could not be written: ${describeError(cause)}`;
  return {
    kind: 'retry',
    code: 'INTERNAL',
    reason,
    stack: cause instanceof Error ? cause.stack : undefined,
  };
}

type Thrown = Exclude<FailureKind, 'extraction incomplete' | 'critical fields missing'>;

export function classifyFailure(error: unknown): Thrown {
  if (error instanceof PermanentError) return 'unusable document';
  // Looked for in the causes too: a destination fails with the file that it was reading.
  if (findCause(error, StorageUnavailableError)) return 'storage unavailable';
  if (findCause(error, StorageRefusedError)) return 'storage refused';
  if (error instanceof BusyError) return 'provider throttled';
  if (error instanceof SandboxBusyError) return 'sandbox busy';
  if (isDiskFull(error)) return 'disk full';
  if (error instanceof StageTimeoutError || error instanceof SandboxTimeoutError)
    return 'stage timeout';
  if (error instanceof OutgoingError)
    return error.fault === 'FORBIDDEN' ? 'forbidden destination' : 'destination error';
  if (error instanceof SandboxCrashError)
    return error.outOfMemory ? 'out of memory' : 'child process lost';
  return 'provider or other error';
}
