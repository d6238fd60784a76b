import type { ProblemCode } from '../../../domain/problem.ts';
import { BusyError, PermanentError, SetupError } from '../../../errors.ts';
import { retryAfterMs } from '../../retry-after.ts';
import type { StatusName } from './status.ts';
import { readVendorError, type VendorError } from './vendor-error.ts';

const HINT =
  'Check the Document AI credentials, that the account may use the processor, ' +
  'and that DOCUMENTAI_PROCESSOR names it with its own location.';

/**
 * Classifies a vendor error: reject the document, wait, or (by default) retry. The client's error
 * is not passed on as the cause: over REST it contains the request, and thus the document.
 */
export function toFailure(error: unknown): Error {
  const vendorError = readVendorError(error);
  if (!vendorError)
    return error instanceof SetupError
      ? error
      : new Error(`The request to Document AI failed: ${messageOf(error)}`);
  const message = `Document AI returned ${vendorError.status}: ${vendorError.message}`;
  return reactions[vendorError.status]?.(message, vendorError) ?? new Error(message);
}

/** Opening the client needs only credentials, so a failure there is a setup problem. */
export function noAccount(error: unknown): SetupError {
  return new SetupError(`The Document AI client cannot be opened: ${messageOf(error)}`, HINT);
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
  /** With `retry-after` it is throttling; without, an outage that counts as a failure. */
  UNAVAILABLE: (message, error) => (error.header('retry-after') ? wait(message, error) : undefined),
  UNAUTHENTICATED: setUp,
  PERMISSION_DENIED: setUp,
  NOT_FOUND: setUp,
};

const patterns: [RegExp, ProblemCode][] = [
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
  return patterns.find(([pattern]) => pattern.test(message))?.[1] ?? 'PROVIDER_REFUSED';
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
