import { once } from 'node:events';
import { createServer } from 'node:net';

export const loopback = '127.0.0.1';

/** A port that nobody listens on now. Somebody may take it before its user does: be ready to ask again. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, loopback);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');
  return address.port;
}
