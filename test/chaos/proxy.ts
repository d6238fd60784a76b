import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that keeps its port while what is behind it comes and goes. */
export async function startProxy(target: string) {
  let { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const frozen = new WeakSet<Socket>();
  let swallowing = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one);
      one.on('data', (chunk) => swallowing || frozen.has(one) || other.write(chunk));
      one.on('error', () => undefined);
      one.on('close', () => {
        open.delete(one);
        // Of a frozen connection neither side hears anything, not even the end of the other.
        if (!frozen.has(one)) other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(target);
  url.port = String(typeof address === 'object' && address ? address.port : 0);
  const cut = () => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    url: url.href,
    cut,
    /** What is sent arrives nowhere, and nobody is told. */
    swallow(on: boolean) {
      swallowing = on;
      if (!on) cut();
    },
    /** The connections there are now are dead for good, without a word; new ones are fine. */
    freeze() {
      for (const socket of open) frozen.add(socket);
    },
    retarget(next: string) {
      ({ hostname, port } = new URL(next));
      cut();
    },
    async close() {
      server.close();
      cut();
    },
  };
}
