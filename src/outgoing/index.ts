import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SECOND } from '../lib/time.ts';
import { callTracer, type TraceCall } from '../observability/tracing/call.ts';
import { noTracing, type Tracing } from '../observability/tracing/index.ts';
import { guardedLookup, type Resolve } from './lookup.ts';
import { OutgoingError, outgoingError } from './outgoing-error.ts';
import { createPolicy, type OutgoingSettings } from './policy.ts';

export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'HEAD';
  url: string | URL;
  headers?: Readonly<Record<string, string>>;
  /** A stream needs its length said in the headers. */
  body?: string | Readable;
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  /** Where it belongs in a trace, when it is no part of what runs around it. */
  parent?: string | null | undefined;
}

export interface OutgoingResponse {
  status: number;
  header(name: string): string | undefined;
  body: Buffer;
}

/** Calls other systems, and only those that may be called. Redirects are answers like any other: never followed. */
export interface Outgoing {
  /** Throws unless this URL may be called, as far as it can be told without resolving its name. */
  check(url: string): URL;
  send(request: OutgoingRequest): Promise<OutgoingResponse>;
  /** Connections that obey the same rules, for a client that speaks a protocol of its own and closes them itself. */
  connections(): Agents;
  /** For the calls of such a client; those of `send` are traced already. */
  trace: TraceCall;
  close(): void;
}

interface Agents {
  http: http.Agent;
  https: https.Agent;
}

export interface OutgoingOptions extends OutgoingSettings {
  resolve?: Resolve;
  /** Certificates to trust beside the usual ones. */
  ca?: string;
  tracing?: Tracing;
}

const usualTimeoutMs = 30 * SECOND;
const mostBytes = 2 ** 20;

export function openOutgoing({
  resolve,
  ca,
  tracing = noTracing,
  ...settings
}: OutgoingOptions): Outgoing {
  const trace = callTracer(tracing);
  const policy = createPolicy(settings);
  const options = { keepAlive: true, maxSockets: 64, lookup: guardedLookup(policy, resolve) };
  const connections = (): Agents => ({
    http: new http.Agent(options),
    https: new https.Agent({ ...options, ...(ca && { ca }) }),
  });
  const agents = connections();
  return {
    check: (url) => policy.check(url),
    connections,
    trace,
    async send({ url: text, signal, timeoutMs = usualTimeoutMs, parent, ...request }) {
      const url = policy.check(text);
      const time = AbortSignal.timeout(timeoutMs);
      const within = signal ? AbortSignal.any([signal, time]) : time;
      return trace({ method: request.method, host: url.host, parent }, async () => {
        try {
          return await exchange(url, request, agents, within);
        } catch (error) {
          signal?.throwIfAborted();
          throw outgoingError(time.aborted ? time.reason : error, url.host);
        }
      });
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

async function exchange(
  url: URL,
  { method, headers = {}, body }: Pick<OutgoingRequest, 'method' | 'headers' | 'body'>,
  agents: Agents,
  signal: AbortSignal,
): Promise<OutgoingResponse> {
  const request =
    url.protocol === 'https:'
      ? https.request(url, { method, headers, signal, agent: agents.https })
      : http.request(url, { method, headers, signal, agent: agents.http });
  const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  answered.catch(() => undefined);
  if (typeof body === 'object') {
    // A receiver that has heard enough answers before all is sent: then its answer counts, not the broken pipe.
    const sent = pipeline(body, request, { signal });
    sent.catch(() => undefined);
    await Promise.race([sent, answered]);
  } else request.end(body);
  const response = await answered;
  return {
    status: response.statusCode ?? 0,
    header: headerOf(response),
    body: await bodyOf(response, url.host),
  };
}

function headerOf({ headers }: http.IncomingMessage) {
  return (name: string): string | undefined => {
    const value = headers[name.toLowerCase()];
    return Array.isArray(value) ? value[0] : value;
  };
}

async function bodyOf(response: http.IncomingMessage, host: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes)
      throw new OutgoingError('TOO_LARGE', `${host} answered with more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
