import { z } from 'zod';
import type { ProblemCode } from '../../../domain/problem.ts';
import { BusyError, PermanentError, SetupError } from '../../../errors.ts';
import { retryAfterMs } from '../../retry-after.ts';
import { type StatusName, statusName } from './status.ts';

const HINT =
  'Check the account that calls Document AI, that it may use the processor, and that DOCUMENTAI_PROCESSOR names one in its own location.';

/** What to do about an error of the vendor: reject the document, wait, or (all else) try again. */
export function toFailure(error: unknown): Error {
  const seen = vendorError.safeParse(error);
  if (!seen.success) return error instanceof Error ? error : new Error(String(error));
  const name = statusName(seen.data.code);
  const message = `Document AI answered ${name}: ${clean(seen.data.details || seen.data.message)}`;
  return reactions[name]?.(message, seen.data, error) ?? new Error(message, { cause: error });
}

type Reaction = (message: string, error: VendorError, cause: unknown) => Error | undefined;

const refuse: Reaction = (message, _, cause) => new PermanentError(problemIn(message), message, { cause });
const wait: Reaction = (message, error, cause) => new BusyError(message, retryAfterMs(headerOf(error)), { cause });
const setUp: Reaction = (message, _, cause) => new SetupError(message, HINT, { cause });

const reactions: Partial<Record<StatusName, Reaction>> = {
  INVALID_ARGUMENT: refuse,
  FAILED_PRECONDITION: refuse,
  OUT_OF_RANGE: refuse,
  RESOURCE_EXHAUSTED: wait,
  /** Unavailable for a stated time is throttling; without one it is an outage, and counts. */
  UNAVAILABLE: (message, error, cause) => (headerOf(error)('retry-after') ? wait(message, error, cause) : undefined),
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

const retryInfo = z.object({
  retryDelay: z.object({ seconds: z.coerce.number().nullish(), nanos: z.number().nullish() }),
});
const metadata = z.custom<{ get(key: string): unknown }>(
  (value) => typeof value === 'object' && value !== null && 'get' in value && typeof value.get === 'function',
);
const vendorError = z.object({
  code: z.number(),
  message: z.string().catch(''),
  details: z.string().optional().catch(undefined),
  metadata: metadata.optional().catch(undefined),
  statusDetails: z.array(z.unknown()).optional().catch(undefined),
});
type VendorError = z.infer<typeof vendorError>;

/** Google says how long to wait in a `RetryInfo` detail; proxies in front of it by a header. */
function headerOf({ metadata, statusDetails }: VendorError): (name: string) => string | undefined {
  return (name) => {
    const value = metadata?.get(name);
    const header = Array.isArray(value) ? value[0] : value;
    if (header !== undefined && header !== null) return String(header);
    const info = statusDetails?.map((detail) => retryInfo.safeParse(detail)).find(({ success }) => success)?.data;
    if (name !== 'retry-after' || !info) return undefined;
    return String((info.retryDelay.seconds ?? 0) + (info.retryDelay.nanos ?? 0) / 1e9);
  };
}

function clean(message: string): string {
  return message.replace(/\s+/g, ' ').trim().slice(0, 500);
}
