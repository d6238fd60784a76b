import { MillraceError, toError, unreachable } from './error.ts';
import { type Route, routes } from './generated/routes.ts';
import { withRetries } from './retry.ts';
import type { OperationName } from './types.ts';

export interface MillraceOptions {
  /** Address of the server: `https://millrace.example.com`. */
  url: string;
  /** API key. Without one, a browser sends the cookie of its session. */
  key?: string;
  /** Sent with every request. */
  headers?: Record<string, string>;
  /** How long retryable failures are retried, in milliseconds; 0 = never. */
  retryForMs?: number;
  fetch?: typeof fetch;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** For requests that create something; one is made up where it is missing. */
  idempotencyKey?: string;
}

/** A function is called again for each attempt; a stream can be sent only once. */
export type Content =
  | Blob
  | Uint8Array<ArrayBuffer>
  | string
  | ReadableStream<Uint8Array>
  | (() => Streamable | Promise<Streamable>);
type Streamable = Blob | Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array>;

export interface Sent extends RequestOptions {
  path?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
  header?: Record<string, unknown> | undefined;
  body?: unknown;
  content?: Content;
}

/** Methods that do no harm when they arrive twice. */
const repeatableMethods = ['GET', 'PUT', 'DELETE'];

export function send(
  { url, key, headers = {}, retryForMs = 60_000, fetch: given }: MillraceOptions,
  name: OperationName,
  sent: Sent,
): Promise<Response> {
  const [method, template, idempotent]: Route = routes[name];
  const target = url.replace(/\/+$/, '') + fill(template, sent);
  const { body, content, signal } = sent;
  const all = {
    ...headers,
    ...(key && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotent && { 'idempotency-key': sent.idempotencyKey ?? newKey() }),
    ...texts(sent.header),
  };
  const json = body === undefined ? undefined : JSON.stringify(body);
  const attempt = async () => {
    const bytes = typeof content === 'function' ? await content() : content;
    // Looked up late: tests and service workers replace the global function.
    return exchange(given ?? globalThis.fetch, target, {
      method,
      headers: all,
      body: bytes ?? json ?? null,
      signal: signal ?? null,
      ...(bytes instanceof ReadableStream && { duplex: 'half' as const }),
    });
  };
  return withRetries(attempt, {
    forMs: retryForMs,
    repeatable: idempotent === true || repeatableMethods.includes(method),
    resendable: !(content instanceof ReadableStream),
    signal,
  });
}

async function exchange(fetchIt: typeof fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetchIt(url, init);
    if (!response.ok) throw await toError(response);
    return response;
  } catch (error) {
    if (error instanceof MillraceError || init.signal?.aborted) throw error;
    throw unreachable(url, error);
  }
}

function fill(template: string, { path = {}, query = {} }: Sent): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(path[name])),
  );
  const search = new URLSearchParams(texts(query)).toString();
  return search ? `${filled}?${search}` : filled;
}

function texts(values: Record<string, unknown> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

/** Not `randomUUID`, which browsers offer on secure origins only. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
