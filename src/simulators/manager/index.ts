import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Asked, type Operation, routes } from './contracts.ts';
import { type ManagerFault, sendFault } from './fault.ts';
import { ManagerStore } from './store.ts';

export type { ManagerFault };

export interface ManagerSimulatorOptions {
  host?: string;
  /** Defaults to any free port. */
  port?: number;
  /** Required token. Without it, requests are not authenticated. */
  token?: string;
  /** Number of status queries before a submission is done. */
  polls?: number;
  /** Called after a document was stored, before the response is sent. */
  onTaken?: () => Promise<void>;
}

export interface ManagerSimulator {
  url: string;
  store: ManagerStore;
  /** Queues of pending faults by operation; each is used once. */
  faults: Record<Operation, (ManagerFault | undefined)[]>;
  close(): Promise<void>;
}

/** Simulates a document manager with our generic contract and that of paperless-ngx. */
export async function startManagerSimulator(
  options: ManagerSimulatorOptions = {},
): Promise<ManagerSimulator> {
  const { host = '127.0.0.1' } = options;
  const simulator = { store: new ManagerStore(), faults: { lookUp: [], submit: [], query: [] } };
  const server = createServer((request, response) => {
    answer(request, response, simulator, options).catch((error: unknown) => {
      if (!response.headersSent)
        response.writeHead(400).end(JSON.stringify({ reason: String(error) }));
    });
  });
  server.listen(options.port ?? 0, host);
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://${host}:${typeof address === 'object' ? address?.port : ''}`,
    ...simulator,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { store, faults }: Pick<ManagerSimulator, 'store' | 'faults'>,
  { token, polls = 0, onTaken }: ManagerSimulatorOptions,
): Promise<void> {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://manager');
  const route = routes.find((each) => each.method === request.method && each.path.test(path));
  if (!route) return void response.writeHead(404).end();
  if (token && !request.headers.authorization?.endsWith(` ${token}`))
    return void response.writeHead(401).end();
  const fault = faults[route.operation].shift();
  if (fault && fault.kind !== 'lost-answer') return sendFault(response, fault);
  const asked: Asked = { path, query, form: () => formOf(request) };
  const { status, body } = await route.answer(asked, store, polls);
  if (route.operation === 'submit') await onTaken?.();
  if (fault) return void request.socket.destroy();
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function formOf(request: IncomingMessage) {
  const body = Buffer.concat(await request.toArray());
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(body, { headers }).formData();
  const file = form.get('file') ?? form.get('document');
  if (!(file instanceof File)) throw new Error('There is no file in the form');
  const metadata = form.get('metadata') ?? form.get('title');
  return { name: file.name, bytes: Buffer.from(await file.arrayBuffer()), metadata };
}
