import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Faults } from '../faults.ts';
import { Tally } from '../tally.ts';
import { completionFor } from './completion.ts';
import type { OpenAiFault } from './fault.ts';
import { chatRequest } from './request.ts';
import { respond, sendError } from './respond.ts';

export interface OpenAiSimulatorOptions {
  host?: string;
  /** Defaults to any free port. */
  port?: number;
  faults?: Faults<OpenAiFault>;
  /** Called with the body of every request. */
  onRequest?: (body: unknown) => void;
  /** Supported values of `response_format`. Defaults to all. */
  formats?: readonly ('json_schema' | 'json_object' | 'text')[];
}

export interface OpenAiSimulator {
  baseUrl: string;
  tally: Tally;
  /** Number of requests rejected for an unsupported `response_format`. They are not billed. */
  readonly formatsRefused: number;
  close(): Promise<void>;
}

/** Simulates `/v1/chat/completions`. Answers extraction prompts by simple rules. */
export async function startOpenAiSimulator(
  options: OpenAiSimulatorOptions = {},
): Promise<OpenAiSimulator> {
  const { host = '127.0.0.1' } = options;
  const counts = { tally: new Tally(), formatsRefused: 0 };
  const server = createServer((request, response) => {
    answer(request, response, options, counts).catch((error: unknown) =>
      sendError(response, 400, String(error)),
    );
  });
  server.listen(options.port ?? 0, host);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    baseUrl: `http://${host}:${port}/v1`,
    tally: counts.tally,
    get formatsRefused() {
      return counts.formatsRefused;
    },
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { faults, formats, onRequest }: OpenAiSimulatorOptions,
  counts: { tally: Tally; formatsRefused: number },
): Promise<void> {
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
    sendError(response, 404, `${request.method} ${request.url} is not simulated.`);
    return;
  }
  const body = Buffer.concat(await request.toArray()).toString();
  onRequest?.(JSON.parse(body));
  const asked = chatRequest.parse(JSON.parse(body));
  const format = asked.response_format?.type ?? 'text';
  if (formats && !formats.some((known) => known === format)) {
    counts.formatsRefused += 1;
    sendError(response, 400, `response_format.type ${format} is not supported.`, {
      param: 'response_format',
    });
    return;
  }
  const call = counts.tally.count(createHash('sha256').update(body).digest('hex'));
  const fault = faults?.(call);
  respond(response, fault, JSON.stringify(completionFor(asked, fault, call)));
}
