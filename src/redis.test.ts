import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { startRedis } from './embedded/redis.ts';
import { Closers } from './lib/closers.ts';
import { openRedis } from './redis.ts';

test('a Redis that may evict keys is refused, with the command that mends it', async () => {
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
  await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
  await expect(openRedis(server.url, pino({ level: 'silent' }), closers)).rejects.toMatchObject({
    message: expect.stringContaining('allkeys-lru'),
    hint: expect.stringContaining('config set maxmemory-policy noeviction'),
  });
});
