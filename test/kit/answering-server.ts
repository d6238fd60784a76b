import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Heard {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A server that answers one request after the other as told, and remembers what it was sent. */
export async function startAnsweringServer(...answers: RequestListener[]) {
  const heard: Heard[] = [];
  const server = createServer(async (req, res) => {
    const { method, url, headers } = req;
    const answer = answers[heard.length];
    heard.push({ method, url, headers, body: '' });
    const index = heard.length - 1;
    const body = await text(req).catch(() => '');
    heard[index] = { method, url, headers, body };
    if (answer) answer(req, res);
    else res.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
