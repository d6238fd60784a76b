import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A TCP proxy that keeps its port while the server behind it restarts or is replaced. */
export async function startProxy(target: string) {
  let { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const frozen = new WeakSet<Socket>();
  let swallowing = false;
  let lag = (): number => 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one);
      const send = inOrder((chunk) => swallowing || frozen.has(one) || other.write(chunk));
      one.on('data', (chunk) => send(chunk, lag()));
      one.on('error', () => undefined);
      one.on('close', () => {
        open.delete(one);
        // On a frozen connection neither side notices that the other has closed.
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
    /** Silently drops all data while on. */
    swallow(on: boolean) {
      swallowing = on;
      if (!on) cut();
    },
    /** Delays each chunk by the milliseconds that `delay` returns; without it, delays end. */
    slow(delay = (): number => 0) {
      lag = delay;
    },
    /** Current connections silently stop working for good. New ones work. */
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

/** Passes chunks on after their delay, in the order in which they arrived. */
function inOrder(pass: (chunk: Buffer) => void) {
  let last = Promise.resolve();
  let waiting = 0;
  return (chunk: Buffer, delayMs: number): void => {
    if (waiting === 0 && delayMs === 0) {
      pass(chunk);
      return;
    }
    waiting += 1;
    const arrived = sleep(delayMs);
    last = last
      .then(() => arrived)
      .then(() => {
        waiting -= 1;
        pass(chunk);
      });
  };
}
