/** An error of the API (RFC 9457). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  constructor({ status, code, detail, hint }: Problem) {
    super(detail);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

interface Problem {
  status: number;
  code: string;
  detail: string;
  hint?: string;
}

interface Options {
  method?: 'POST' | 'PATCH' | 'DELETE';
  body?: unknown;
  /** Sent as `If-Match`. */
  revision?: number;
  signal?: AbortSignal;
  /** Lets the request finish after the page is closed. */
  keepalive?: boolean;
}

/** Calls the API with the session of the browser. Undefined if the answer has no content. */
export async function request<T>(path: string, options: Options = {}): Promise<T> {
  const { method, body, revision, ...rest } = options;
  const answer = await fetch(path, {
    ...rest,
    method: method ?? 'GET',
    headers: {
      accept: 'application/json',
      ...(method && { 'x-csrf-token': readCsrf(), 'content-type': 'application/json' }),
      ...(revision !== undefined && { 'if-match': `"${revision}"` }),
    },
    ...(method && { body: JSON.stringify(body ?? {}) }),
  });
  if (!answer.ok) throw await toError(answer);
  if (answer.status === 204) return undefined as T;
  return (await answer.json()) as T;
}

export async function toError(answer: Response): Promise<ApiError> {
  if (answer.status === 401) logIn();
  const fallback = { status: answer.status, code: 'UNKNOWN', detail: answer.statusText };
  const problem: Partial<Problem> = await answer.json().catch(() => ({}));
  return new ApiError({ ...fallback, ...problem });
}

function logIn(): void {
  const next = location.pathname + location.search;
  location.assign(`/login?next=${encodeURIComponent(next)}`);
}

/** The server reveals the token to its own pages in a cookie. */
export function readCsrf(): string {
  return /(?:^|;\s*)XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '';
}
