import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  headers: Record<string, string | undefined>;
  body: string;
}

type Answer = { status: number; headers?: Record<string, string> };

/** A server that records what is posted to it and responds as configured. */
export async function startReceiver(
  answer: (received: Received) => Answer | Promise<Answer> = () => ({ status: 204 }),
) {
  const received: Received[] = [];
  const behaviour = { answer };
  const server = createServer(async (req, res) => {
    const body = Buffer.concat(await req.toArray()).toString();
    const headers = Object.fromEntries(
      Object.entries(req.headers).map(([name, value]) => [name, String(value)]),
    );
    received.push({ headers, body });
    const { status, headers: more = {} } = await behaviour.answer({ headers, body });
    res.writeHead(status, more).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    behaviour,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
