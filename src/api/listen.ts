import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { SetupError } from '../errors.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { closeDrippingBodies } from './body-pace.ts';
import type { Listen } from './context.ts';

export interface Listening {
  url: string;
  close(): Promise<void>;
}

/** How long running requests may continue after shutdown begins. */
const graceMs = 10 * SECOND;

export async function listen(
  app: Express,
  { host, port }: Listen,
  closing = new AbortController(),
): Promise<Listening> {
  const server = createServer(app);
  // An upload may take hours while bytes keep arriving; a silent connection times out.
  server.requestTimeout = 0;
  server.headersTimeout = 20 * SECOND;
  server.keepAliveTimeout = 65 * SECOND;
  server.timeout = 5 * MINUTE;
  closeDrippingBodies(server);
  await new Promise<void>((resolve, reject) => {
    server
      .once('error', (error) => reject(portTaken(error, port) ?? error))
      .listen(port, host, resolve);
  });
  const close = () => {
    closing.abort();
    return closeServer(server);
  };
  return { url: urlOf(server.address()), close };
}

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string')
    throw new Error('The server is not listening on a port');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A keep-alive connection becomes idle only after its request ends, hence the polling.
  const timer = setInterval(() => server.closeIdleConnections(), 50);
  await withTimeout(graceMs, closed);
  clearInterval(timer);
  server.closeAllConnections();
  await closed;
}

function portTaken(error: NodeJS.ErrnoException, port: number): SetupError | undefined {
  if (error.code !== 'EADDRINUSE') return undefined;
  return new SetupError(
    `Port ${port} is already in use.`,
    'Set MILLRACE_PORT to another port, or to 0 for any free port.',
    {
      cause: error,
    },
  );
}
