import type { ProblemCode } from '../../../domain/problem.ts';
import { BusyError, PermanentError, SetupError } from '../../../errors.ts';
import { retryAfterMs } from '../../retry-after.ts';
import type { StatusName } from './status.ts';
import { readVendorError, type VendorError } from './vendor-error.ts';

const HINT =
  'Check the account that calls Document AI, that it may use the processor, and that DOCUMENTAI_PROCESSOR names one in its own location.';

/**
 * What to do about an error of the vendor: reject the document, wait, or (all else) try again. The client's error is not
 * passed on as the cause: over REST it holds the whole request, and so the document.
 */
export function toFailure(error: unknown): Error {
  const seen = readVendorError(error);
  if (!seen)
    return error instanceof SetupError
      ? error
      : new Error(`Document AI could not be asked: ${wordsOf(error)}`);
  const message = `Document AI answered ${seen.status}: ${seen.message}`;
  return reactions[seen.status]?.(message, seen) ?? new Error(message);
}

/** The client could not be opened, which takes no more than an account. */
export function noAccount(error: unknown): SetupError {
  return new SetupError(`Document AI cannot be used: ${wordsOf(error)}`, HINT);
}

type Reaction = (message: string, error: VendorError) => Error | undefined;

const refuse: Reaction = (message) => new PermanentError(problemIn(message), message);
const wait: Reaction = (message, { header }) => new BusyError(message, retryAfterMs(header));
const setUp: Reaction = (message) => new SetupError(message, HINT);

const reactions: Partial<Record<StatusName, Reaction>> = {
  INVALID_ARGUMENT: refuse,
  FAILED_PRECONDITION: refuse,
  OUT_OF_RANGE: refuse,
  RESOURCE_EXHAUSTED: wait,
  /** Unavailable for a stated time is throttling; without one it is an outage, and counts. */
  UNAVAILABLE: (message, error) => (error.header('retry-after') ? wait(message, error) : undefined),
  UNAUTHENTICATED: setUp,
  PERMISSION_DENIED: setUp,
  NOT_FOUND: setUp,
};

const words: [RegExp, ProblemCode][] = [
  [/password|encrypted/i, 'PASSWORD_PROTECTED'],
  [/pages? (limit|exceed)|too many pages|PAGE_LIMIT_EXCEEDED/i, 'TOO_MANY_PAGES'],
  [/unsupported (input )?(file|mime|document|format)/i, 'UNSUPPORTED_TYPE'],
  [/megapixel|image (is )?too large|pixels/i, 'IMAGE_TOO_LARGE'],
  [
    /corrupt|malformed|damaged|invalid (pdf|image|file)|(unable to|cannot( be)?|could not( be)?|failed to) (parse|decode|open|read|render)/i,
    'INVALID_FILE',
  ],
];

function problemIn(message: string): ProblemCode {
  return words.find(([pattern]) => pattern.test(message))?.[1] ?? 'PROVIDER_REFUSED';
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
