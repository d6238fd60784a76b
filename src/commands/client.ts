import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config/index.ts';
import { SetupError, UsageError } from '../errors.ts';
import { SECOND } from '../lib/time.ts';

const problem = z.object({
  detail: z.string().optional(),
  title: z.string().optional(),
  hint: z.string().optional(),
  retryable: z.boolean().optional(),
});

/** The same request may succeed later. */
export class RetryableError extends SetupError {
  /** Undefined if the server did not name a time. */
  readonly retryAfterMs: number | undefined;
  constructor(message: string, hint: string, retryAfterMs?: number, options?: ErrorOptions) {
    super(message, hint, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/** No server answered: it is restarting, or there is none. */
export class UnreachableError extends RetryableError {}

/** Statuses of proxies and rate limiters, whose responses have no `retryable`. */
const gatewayStatuses = [429, 502, 503, 504];

export type Call = (path: string, init?: RequestInit) => Promise<unknown>;

/**
 * Calls a running server: the configured one, or the one that uses our data directory. Returns the
 * parsed JSON.
 */
export function openClient(config: Config): Call {
  const request = openConnection(config);
  return async (path, init) => (await request(path, init)).json().catch(() => ({}));
}

/** Like `openClient`, but returns the response itself. Throws if its status is an error. */
export function openConnection(config: Config) {
  const url = config.MILLRACE_URL ?? serverInDirectory(config);
  const key = config.MILLRACE_API_KEY ?? keyInDirectory(config);
  return async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${key}`);
    const response = await fetch(new URL(path, url), { ...init, headers }).catch(
      (error: unknown) => {
        throw new UnreachableError(
          `Cannot connect to a server at ${url}`,
          'Start one with `millrace up`, or set MILLRACE_URL.',
          undefined,
          { cause: error },
        );
      },
    );
    if (response.ok) return response;
    const body: unknown = await response.json().catch(() => ({}));
    const { detail, title, hint, retryable } = problem.catch({}).parse(body);
    const message = detail ?? title ?? `The server answered ${response.status}`;
    const retryAfter = Number(response.headers.get('retry-after'));
    if (retryable ?? gatewayStatuses.includes(response.status)) {
      const retryAfterMs = retryAfter > 0 ? retryAfter * SECOND : undefined;
      throw new RetryableError(message, hint ?? 'Try again later.', retryAfterMs);
    }
    if ([400, 422].includes(response.status)) throw new UsageError(message, hint);
    if (response.status === 401)
      throw new SetupError(message, `Set MILLRACE_API_KEY to a valid key for ${url}.`);
    throw new SetupError(message, hint ?? `The error was returned by ${url}.`);
  };
}

function serverInDirectory({ MILLRACE_DATA }: Config): string {
  try {
    const path = join(MILLRACE_DATA, 'server.json');
    return z.object({ url: z.string() }).parse(JSON.parse(readFileSync(path, 'utf8'))).url;
  } catch (error) {
    throw new SetupError(
      'The address of the Millrace server is unknown.',
      'Start a server with `millrace up`, or set MILLRACE_URL.',
      {
        cause: error,
      },
    );
  }
}

function keyInDirectory({ MILLRACE_DATA }: Config): string {
  try {
    return readFileSync(join(MILLRACE_DATA, 'secrets', 'api-key'), 'utf8').trim();
  } catch (error) {
    throw new SetupError('There is no API key for calling the server.', 'Set MILLRACE_API_KEY.', {
      cause: error,
    });
  }
}
