import type { Schemas } from './types.ts';

type Problem = Partial<Schemas['Problem']>;

/** Statuses of proxies and rate limiters, whose answers have no `retryable`. */
const gatewayStatuses = [429, 502, 503, 504];

export interface ErrorOptions {
  status: number;
  code: string;
  retryable: boolean;
  hint?: string | undefined;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  problem?: Problem | undefined;
  cause?: unknown;
}

/** A request that failed. `code` is for programs, `hint` for people. */
export class MillraceError extends Error {
  override readonly name = 'MillraceError';
  /** 0 if no server answered. */
  readonly status: number;
  readonly code: string;
  readonly retryable: boolean;
  readonly hint: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** The answer of the server, with members beyond those above. */
  readonly problem: Problem | undefined;

  constructor(message: string, { cause, ...options }: ErrorOptions) {
    super(message, { cause });
    this.status = options.status;
    this.code = options.code;
    this.retryable = options.retryable;
    this.hint = options.hint;
    this.requestId = options.requestId;
    this.retryAfterMs = options.retryAfterMs;
    this.problem = options.problem;
  }
}

export async function toError(response: Response): Promise<MillraceError> {
  const { status, headers } = response;
  const body: unknown = await response.json().catch(() => undefined);
  const problem: Problem = typeof body === 'object' && body !== null ? body : {};
  const message = problem.detail ?? problem.title ?? `The server answered ${status}`;
  return new MillraceError(message, {
    status,
    code: problem.code ?? 'UNKNOWN',
    retryable: problem.retryable ?? gatewayStatuses.includes(status),
    hint: problem.hint,
    requestId: problem.requestId ?? headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
    problem,
  });
}

/** Seconds, or a date as proxies send it. */
function retryAfterMs(text: string | null): number | undefined {
  if (!text) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

export function unreachable(url: string, cause: unknown): MillraceError {
  return new MillraceError(`No server answers at ${url}`, {
    status: 0,
    code: 'UNREACHABLE',
    retryable: true,
    cause,
  });
}
