import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { openDataDirectory, startEmbedded } from './index.ts';
import { readPostmaster } from './postmaster.ts';

const both = { postgres: true, redis: true };

async function open() {
  const path = await temporaryDirectory();
  const directory = await openDataDirectory(path);
  onTestFinished(directory.close);
  return { path, directory };
}

function hold(path: string): ChildProcess {
  const script = fileURLToPath(new URL('../../../test/kit/embedded-holder.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

it('starts what is asked for and stops it once', async () => {
  const { directory } = await open();
  const embedded = await startEmbedded({
    directory,
    services: { postgres: false, redis: true },
    redisEngine: 'wasm',
  });
  expect(embedded.databaseUrl).toBeUndefined();
  expect(embedded.describe()).toEqual([
    `Valkey 9.1 (WebAssembly) at ${new URL(embedded.redisUrl ?? '').host}`,
  ]);
  await Promise.all([embedded.stop(), embedded.stop()]);
});

it('tells when a server ends by itself', async () => {
  const { directory } = await open();
  const said = new Promise((resolve) => {
    startEmbedded({
      directory,
      services: { postgres: false, redis: true },
      redisEngine: 'wasm',
      log: resolve,
    }).then(async ({ admin: { redisUrl = '' }, stop }) => {
      onTestFinished(stop);
      const client = new Redis(redisUrl, { retryStrategy: null });
      client.on('error', () => {});
      await client.shutdown('NOSAVE').catch(() => {});
    });
  });
  expect(await said).toBe('Valkey 9.1 (WebAssembly) exited unexpectedly');
});

it('undoes what it started when another service fails', async () => {
  const { path, directory } = await open();
  await writeFile(join(path, 'valkey'), 'in the way');
  const starting = startEmbedded({
    directory,
    services: both,
    redisEngine: 'wasm',
    durable: false,
  });
  await expect(starting).rejects.toThrow('EEXIST');
  expect(await readPostmaster(join(path, 'postgres', 'cluster'))).toBeUndefined();
});

it('starts again after its parent was killed', async () => {
  const path = await temporaryDirectory();
  const parent = hold(path);
  const [line] = parent.stdout ? await once(parent.stdout, 'data') : [];
  const before: { ownerUrl: string } = JSON.parse(line);
  const client = new pg.Client(before.ownerUrl);
  client.on('error', () => {});
  await client.connect();
  await client.query('create table kept as select 42 as answer');
  const connectionLost = new Promise((resolve) => client.once('end', resolve));
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  const directory = await openDataDirectory(path);
  const embedded = await startEmbedded({
    directory,
    services: both,
    redisEngine: 'wasm',
    durable: false,
  });
  await connectionLost;
  const again = new pg.Client(embedded.ownerUrl);
  await again.connect();
  expect((await again.query('select answer from kept')).rows).toEqual([{ answer: 42 }]);
  await again.end();
  await embedded.stop();
  await directory.close();
});

it('starts after a parent that was killed during its first start', async () => {
  const path = await temporaryDirectory();
  const parent = hold(path);
  for await (const { filename } of watch(path)) if (filename === 'postgres.log') break;
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  const directory = await openDataDirectory(path);
  const embedded = await startEmbedded({
    directory,
    services: both,
    redisEngine: 'wasm',
    durable: false,
  });
  expect(embedded.describe()).toHaveLength(2);
  await embedded.stop();
  await directory.close();
});
