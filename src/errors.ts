import type { ProblemCode } from './domain/problem.ts';

/**
 * Errors are classified by what should happen next. Any other error thrown by a stage causes a
 * retry.
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

/** The provider is busy: retry later. The attempt is not counted. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
  readonly retryAfterMs: number;
  constructor(message: string, retryAfterMs: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Storage cannot be reached. Whatever needs it waits; nothing is wrong with the document. */
export class StorageUnavailableError extends BusyError {}

/** The document is too large for the small lane of its stage. */
export class LargeDocumentError extends Error {
  override readonly name = 'LargeDocumentError';
}

/** The requested resource does not exist, or the caller may not see it. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
}

/** The resource exists, but its state does not allow this operation. */
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

/** The input exceeds a size limit. */
export class TooLargeError extends UsageError {}

/** The same idempotency key came with different content: the new content would be lost. */
export class IdempotencyKeyReusedError extends UsageError {
  constructor(what: string) {
    super(
      `The Idempotency-Key was already used for a different ${what}.`,
      'Use a new key for new content. Repeat a request with the same content only.',
    );
  }
}

/** The requested document type does not exist in the workspace. */
export class UnknownTypeError extends UsageError {}

/** The machine or the configuration is unusable; `hint` says what to do. Shown without a stack. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
  readonly hint: string;
  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}

/** Storage answers, but refuses us: wrong credentials, missing permissions, no such bucket. */
export class StorageRefusedError extends SetupError {}
