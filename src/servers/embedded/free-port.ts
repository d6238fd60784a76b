import { once } from 'node:events';
import { createServer } from 'node:net';

export const loopback = '127.0.0.1';

/**
 * A port that is free now. Another process may take it first, so callers must be ready to retry.
 */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, loopback);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string')
    throw new Error('The system assigned no port');
  return address.port;
}
