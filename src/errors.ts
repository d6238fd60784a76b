import type { ProblemCode } from './domain/problem.ts';

/**
 * Errors are classed by what to do next. A stage that throws anything else asks for a retry.
 */

/** This input will never succeed: reject it, with a code people can act on. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
  readonly code: ProblemCode;
  constructor(code: ProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The other side is busy: come back later, no attempt is charged. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
  readonly retryAfterMs: number;
  constructor(message: string, retryAfterMs: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/** More than the small lane of its stage is made for. */
export class LargeDocumentError extends Error {
  override readonly name = 'LargeDocumentError';
}

/** A thing the caller named does not exist (or is not theirs to see). */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
}

/** The thing exists, but not in a state that allows this. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}

/** The caller's input is wrong; `hint` says what to do instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly hint: string | undefined;
  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** There is more of it than is taken. */
export class TooLargeError extends UsageError {}

/** A document is to be of a type that its workspace does not know. */
export class UnknownTypeError extends UsageError {}

/** The machine or the configuration cannot run this; `hint` says what to do. One line, no stack. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
  readonly hint: string;
  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}
