import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { closeDrippingBodies } from './body-pace.ts';

const pace = { leastBytes: 100, intervalMs: 200 };

async function upload(chunkBytes: number, chunks: number) {
  const server = createServer((req, res) => {
    req.resume().once('end', () => res.end('received'));
  });
  closeDrippingBodies(server, pace);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const sent = request({ port, host: '127.0.0.1', method: 'POST' });
  const answered = once(sent, 'response').then(([res]) => res.statusCode);
  sent.on('error', () => undefined);
  const send = async () => {
    for (let i = 0; i < chunks && !sent.destroyed; i += 1) {
      sent.write(Buffer.alloc(chunkBytes));
      await pause(pace.intervalMs / 4);
    }
    sent.end();
  };
  void send();
  return answered.catch(() => 'closed');
}

test('a body that drips in is closed', async () => {
  expect(await upload(1, 10_000)).toBe('closed');
});

test('a slow upload that keeps coming is received, however long it takes', async () => {
  expect(await upload(1000, 20)).toBe(200);
});
