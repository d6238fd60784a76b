import type { ProblemCode } from '../domain/problem.ts';
import { BusyError, PermanentError } from '../errors.ts';
import { describeError } from '../lib/describe-error.ts';
import { OutgoingError } from '../outgoing/outgoing-error.ts';
import { SandboxCrashError, SandboxTimeoutError } from '../sandbox/errors.ts';
import { type Outcome, reject, snooze } from './outcome.ts';

/** How a run ended: what the stage answered, or what became of it instead. */
export type Verdict =
  | Outcome
  | { kind: 'retry'; code: ProblemCode; reason: string; stack: string | undefined }
  /** The process ends: hand the task back, no attempt is charged. */
  | { kind: 'release' }
  /** The lease is gone: someone else decides about this task now. */
  | { kind: 'lost' };

/** Why a run was cut short. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}
export class ShutdownError extends Error {
  override readonly name = 'ShutdownError';
}
export class StageTimeoutError extends Error {
  override readonly name = 'StageTimeoutError';
}

const retryCodes: [new (...args: never[]) => Error, ProblemCode][] = [
  [StageTimeoutError, 'TOO_SLOW'],
  [SandboxTimeoutError, 'TOO_SLOW'],
  [OutgoingError, 'DESTINATION_FAILED'],
];

export function verdictOf(error: unknown): Verdict {
  if (error instanceof LeaseLostError) return { kind: 'lost' };
  if (error instanceof ShutdownError) return { kind: 'release' };
  if (error instanceof PermanentError) return reject(error.code, error.message);
  if (error instanceof BusyError) return snooze(error.retryAfterMs, error.message);
  if (error instanceof OutgoingError && error.fault === 'FORBIDDEN')
    return reject('DESTINATION_UNUSABLE', error.message);
  return {
    kind: 'retry',
    code: retryCode(error),
    reason: describeError(error),
    stack: error instanceof Error ? error.stack : undefined,
  };
}

function retryCode(error: unknown): ProblemCode {
  if (error instanceof SandboxCrashError) return error.outOfMemory ? 'OUT_OF_MEMORY' : 'WORKER_LOST';
  return retryCodes.find(([type]) => error instanceof type)?.[1] ?? 'INTERNAL';
}
