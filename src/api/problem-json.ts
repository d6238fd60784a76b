import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { isOutage } from '../db/outage.ts';
import { isHeld, isUnstorable } from '../db/violates.ts';
import {
  BusyError,
  ConflictError,
  IdempotencyKeyReusedError,
  NotFoundError,
  SetupError,
  StorageUnavailableError,
  TooLargeError,
  UnknownTypeError,
  UsageError,
} from '../errors.ts';
import { isDiskFull } from '../lib/disk-full.ts';
import { SECOND } from '../lib/time.ts';
import { HttpError, type HttpErrorOptions } from './http-error.ts';

/** RFC 9457, with a code for programs and a hint for people. */
export interface ProblemJson {
  type: 'about:blank';
  title: string;
  status: number;
  detail: string;
  code: string;
  retryable: boolean;
  hint?: string;
  [member: string]: unknown;
}

type Kind = [type: new (...args: never[]) => Error, options: HttpErrorOptions];

/** The first match wins, so a subclass comes before its parent. */
const kinds: Kind[] = [
  [NotFoundError, { status: 404, code: 'NOT_FOUND' }],
  [ConflictError, { status: 409, code: 'CONFLICT' }],
  [TooLargeError, { status: 413, code: 'TOO_LARGE' }],
  [IdempotencyKeyReusedError, { status: 422, code: 'IDEMPOTENCY_KEY_REUSED' }],
  [UnknownTypeError, { status: 422, code: 'UNKNOWN_TYPE' }],
  [UsageError, { status: 400, code: 'BAD_REQUEST' }],
  [SetupError, { status: 503, code: 'NOT_SET_UP' }],
  [StorageUnavailableError, { status: 503, code: 'STORAGE_UNAVAILABLE', retryable: true }],
  [BusyError, { status: 503, code: 'BUSY', retryable: true }],
];

const unknown: HttpErrorOptions = { status: 500, code: 'INTERNAL', retryable: true };

/** Postgres is unreachable or read-only; the request itself may be fine. */
export const unavailable: HttpErrorOptions = {
  status: 503,
  code: 'DATABASE_UNAVAILABLE',
  retryable: true,
  headers: { 'Retry-After': '5' },
};

/** Postgres cannot represent a value of the request: a NUL, half a surrogate pair, 1e300. */
const unstorable: HttpErrorOptions = {
  status: 400,
  code: 'BAD_REQUEST',
  hint: 'Check for NUL characters, invalid Unicode, and numbers or dates out of range.',
};

/** Nothing was deleted. */
const held: HttpErrorOptions = {
  status: 409,
  code: 'LEGAL_HOLD',
  hint: 'GET /admin/legal-holds lists the holds. It can be deleted when all of them are released.',
};

const diskFull: HttpErrorOptions = { status: 507, code: 'STORAGE_FULL', retryable: true };

/** Details sent instead of the error's own message, which callers must not see. */
const internalDetails = new Map([
  [unknown, 'An internal error occurred.'],
  [unavailable, 'The database is unavailable.'],
  [unstorable, 'A value of the request cannot be stored.'],
  [held, 'A legal hold protects it from deletion. Nothing was deleted.'],
  [diskFull, 'The server has run out of storage space.'],
]);

/** Express and its parsers set a 4xx status on errors whose message callers may see. */
const exposed = z.object({ status: z.int().min(400).max(499), message: z.string() });

/** Maps an error to a problem. `internal` = callers must not see the error's own message. */
export function toProblem(error: unknown): {
  problem: ProblemJson;
  headers: Record<string, string>;
  internal: boolean;
} {
  const options = optionsOf(error);
  const internal = internalDetails.has(options);
  const { status, code, retryable = false, hint = hintOf(error), headers, details } = options;
  const detail = internalDetails.get(options) ?? messageOf(error);
  const title = STATUS_CODES[status] ?? 'Error';
  return {
    problem: {
      type: 'about:blank',
      title,
      status,
      detail,
      code,
      retryable,
      ...(hint && { hint }),
      ...details,
    },
    headers: { ...headers, ...retryAfter(error) },
    internal,
  };
}

function optionsOf(error: unknown): HttpErrorOptions {
  if (error instanceof HttpError) return error.options;
  const kind = kinds.find(([type]) => error instanceof type);
  if (kind) return kind[1];
  if (isOutage(error)) return unavailable;
  if (isHeld(error)) return held;
  if (isUnstorable(error)) return unstorable;
  if (isDiskFull(error)) return diskFull;
  const { data } = exposed.safeParse(error);
  return data
    ? { status: data.status, code: data.status === 413 ? 'TOO_LARGE' : 'BAD_REQUEST' }
    : unknown;
}

function hintOf(error: unknown): string | undefined {
  return error instanceof UsageError || error instanceof SetupError ? error.hint : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function retryAfter(error: unknown): Record<string, string> {
  return error instanceof BusyError
    ? { 'Retry-After': String(Math.ceil(error.retryAfterMs / SECOND)) }
    : {};
}
