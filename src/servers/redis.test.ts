import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { Closers } from '../lib/closers.ts';
import { startRedis } from './embedded/redis.ts';
import { openRedis } from './redis.ts';

/** Starts a Redis for this test and opens it. */
async function start() {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-redis-'));
  const server = await startRedis({ directory, engine: 'auto' });
  const client = new Redis(server.url);
  const closers = new Closers();
  onTestFinished(async () => {
    await closers.close();
    client.disconnect();
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });
  const open = (url = server.url) => openRedis(url, pino({ level: 'silent' }), closers);
  return { server, client, open };
}

test('a Redis that does not know the password is not asked for long', async () => {
  const { server, client, open } = await start();
  await client.config('SET', 'requirepass', 'right');
  await expect(open(server.url.replace('redis://', 'redis://:wrong@'))).rejects.toMatchObject({
    message: expect.stringContaining('refused the login: WRONGPASS'),
    hint: expect.stringContaining('REDIS_URL'),
  });
});

test('a Redis that may evict keys is refused, with the command that mends it', async () => {
  const { client, open } = await start();
  await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
  await expect(open()).rejects.toMatchObject({
    message: expect.stringContaining('allkeys-lru'),
    hint: expect.stringContaining('config set maxmemory-policy noeviction'),
  });
});
