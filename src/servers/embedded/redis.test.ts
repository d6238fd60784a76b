import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { openDataDirectory } from './data-directory.ts';
import { freePort } from './free-port.ts';
import { findNativeRedis } from './native-redis.ts';
import { recordProcess } from './process-record.ts';
import { startRedis } from './redis.ts';
import { ensureRedisUsers } from './redis-users.ts';
import { wasmValkey } from './wasm-valkey.ts';

async function setup(engine: 'native' | 'wasm') {
  const { path } = await openDataDirectory(await temporaryDirectory());
  const start = async () => {
    const server = await startRedis({ directory: path, engine });
    onTestFinished(server.stop);
    const { port, username, password } = new URL(server.url);
    return { ...server, connection: { host: '127.0.0.1', port: Number(port), username, password } };
  };
  return { path, start };
}

async function ask<Answer>(
  url: string,
  question: (client: Redis) => Promise<Answer>,
): Promise<Answer> {
  const client = new Redis(url);
  return question(client).finally(() => client.disconnect());
}

const native = await findNativeRedis();

describe.each([
  { engine: 'wasm', there: true },
  { engine: 'native', there: native !== undefined },
] as const)('the $engine engine', ({ engine, there }) => {
  it.skipIf(!there)('moves every BullMQ job once', async () => {
    const count = 2_000;
    const { start } = await setup(engine);
    const { connection, stop } = await start();
    const queue = new Queue('mill', { connection });
    await queue.addBulk(
      Array.from({ length: count }, (_, index) => ({ name: 'grind', data: { index } })),
    );
    const seen: number[] = [];
    await new Promise<void>((resolve) => {
      const worker = new Worker('mill', async ({ data }) => seen.push(data.index), {
        connection,
        concurrency: 50,
      });
      worker.on('drained', () => worker.close().then(resolve));
    });
    expect(await queue.getJobCounts('completed', 'failed', 'waiting')).toEqual({
      completed: count,
      failed: 0,
      waiting: 0,
    });
    expect(new Set(seen).size).toBe(count);
    expect(seen).toHaveLength(count);
    await queue.close();
    await stop();
  });

  it.skipIf(!there)('keeps its data over a restart', async () => {
    const { start } = await setup(engine);
    const first = await start();
    await ask(first.url, (client) => client.set('kept', 'grain'));
    await first.stop();
    const second = await start();
    expect(await ask(second.url, (client) => client.get('kept'))).toBe('grain');
    const policy = ask(second.adminUrl, (client) => client.config('GET', 'maxmemory-policy'));
    expect(await policy).toContain('noeviction');
    await second.stop();
  });
});

describe.each([
  { engine: 'wasm', there: true },
  { engine: 'native', there: native !== undefined },
] as const)('the $engine engine', ({ engine, there }) => {
  it.skipIf(!there)('lets nobody in without the password', async () => {
    const { start } = await setup(engine);
    const { url, stop } = await start();
    for (const login of ['', 'millrace:guess@', ':guess@']) {
      const client = new Redis(url.replace(/\/\/.*@/, `//${login}`), { retryStrategy: null });
      client.on('error', () => {});
      await expect(client.get('kept')).rejects.toThrow(/NOAUTH|WRONGPASS|closed/);
      client.disconnect();
    }
    await stop();
  });

  it.skipIf(!there)('lets the product change keys, and nothing else', async () => {
    const { start } = await setup(engine);
    const { url, stop } = await start();
    await ask(url, (client) => client.set('kept', 'grain'));
    for (const forbidden of [
      ['CONFIG', 'SET', 'dir', '/tmp'],
      ['ACL', 'SETUSER', 'intruder', 'on', 'nopass', '+@all'],
      ['SHUTDOWN', 'NOSAVE'],
      ['FLUSHALL'],
    ]) {
      const [name = '', ...args] = forbidden;
      await expect(ask(url, (client) => client.call(name, ...args))).rejects.toThrow('NOPERM');
    }
    await stop();
  });
});

it('stops a server that outlived its parent', async () => {
  const { path, start } = await setup('wasm');
  const home = join(path, wasmValkey.folder);
  await mkdir(home);
  const users = await ensureRedisUsers(path, home);
  const { command, args, env } = wasmValkey.start(await freePort(), home, users);
  const orphan = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => orphan.once('exit', resolve));
  await new Promise((resolve) => orphan.stdout.once('data', resolve));
  await recordProcess(join(path, 'redis.pid.json'), orphan.pid ?? 0);
  const server = await start();
  expect(await ended).toBe(0);
  await server.stop();
});

it.skipIf(native)('says what to do when no server is installed', async () => {
  const { start } = await setup('native');
  await expect(start()).rejects.toMatchObject({ name: 'SetupError', hint: /Install Redis/ });
});
