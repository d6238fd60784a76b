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
  /** A stream requires a content-length header. */
  body?: string | Readable;
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  /** Traceparent of the span to use as parent, if it is not the current one. */
  parent?: string | null | undefined;
}

export interface OutgoingResponse {
  status: number;
  header(name: string): string | undefined;
  body: Buffer;
}

/** Calls other systems, as far as the policy allows. Redirects are returned, never followed. */
export interface Outgoing {
  /** Throws unless the policy allows this URL. Does not resolve its host name. */
  check(url: string): URL;
  send(request: OutgoingRequest): Promise<OutgoingResponse>;
  /** Agents under the same policy, for SDKs that make their own requests and close the agents. */
  connections(): Agents;
  /** Traces the calls of such SDKs; `send` traces its own. */
  trace: TraceCall;
  close(): void;
}

interface Agents {
  http: http.Agent;
  https: https.Agent;
}

export interface OutgoingOptions extends OutgoingSettings {
  resolve?: Resolve;
  /** Certificates to trust in addition to the default ones. */
  ca?: string;
  tracing?: Tracing;
}

const defaultTimeoutMs = 30 * SECOND;
const maxResponseBytes = 2 ** 20;

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
    async send({ url: text, signal, timeoutMs = defaultTimeoutMs, parent, ...request }) {
      const url = policy.check(text);
      const timeout = AbortSignal.timeout(timeoutMs);
      const combined = signal ? AbortSignal.any([signal, timeout]) : timeout;
      return trace({ method: request.method, host: url.host, parent }, async () => {
        try {
          return await exchange(url, request, agents, combined);
        } catch (error) {
          signal?.throwIfAborted();
          throw outgoingError(timeout.aborted ? timeout.reason : error, url.host);
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
  const responded = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  responded.catch(() => undefined);
  if (typeof body === 'object') {
    // A receiver may respond before the whole body is sent: prefer that to the broken pipe.
    const sent = pipeline(body, request, { signal });
    sent.catch(() => undefined);
    await Promise.race([sent, responded]);
  } else request.end(body);
  const response = await responded;
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
    if (bytes > maxResponseBytes)
      throw new OutgoingError(
        'TOO_LARGE',
        `${host} answered with more than ${maxResponseBytes} bytes`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
