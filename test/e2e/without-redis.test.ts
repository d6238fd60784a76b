import { Redis } from 'ioredis';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { newKeyText } from '../../src/db/api-keys.ts';
import { freePort } from '../../src/servers/embedded/free-port.ts';
import { startRedis } from '../../src/servers/embedded/redis.ts';
import { startProxy } from '../chaos/proxy.ts';
import { startCli } from '../kit/cli.ts';
import { openInstallation, patience } from '../kit/installation.ts';
import { temporaryDirectory } from '../kit/temporary-directory.ts';

type Installation = Awaited<ReturnType<typeof openInstallation>>;

/** An API on this Redis; sends it a document, which it must take. */
async function startApi(installation: Installation, redisUrl: string) {
  const key = newKeyText();
  const port = await freePort();
  installation.start(['api'], {
    REDIS_URL: redisUrl,
    MILLRACE_PORT: String(port),
    MILLRACE_API_KEY: key,
  });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), patience);
  const ready = async () => (await fetch(`${url}/readyz`)).json();
  const send = async () => {
    const answer = await fetch(`${url}/v1/documents?name=letter.txt`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: 'Dear Sir or Madam, it is the first of March 2026.',
    });
    expect(answer.status).toBe(202);
    const { id } = z.object({ id: z.uuid() }).parse(await answer.json());
    expect(await installation.taskOf(id)).toMatchObject({ state: 'ready', stage: 'claim' });
    return id;
  };
  return { send, ready };
}

test('an API whose Redis is away takes documents, and they are found when it is back', {
  timeout: 240_000,
}, async () => {
  const installation = await openInstallation();
  onTestFinished(installation.close);
  const proxy = await startProxy(inject('redisUrl'));
  onTestFinished(proxy.close);
  const { send, ready } = await startApi(installation, proxy.url);
  proxy.retarget('redis://127.0.0.1:1');
  const id = await send();
  const degraded = { status: 'degraded', missing: ['redis'], checks: { postgres: { ok: true } } };
  await vi.waitFor(async () => expect(await ready()).toMatchObject(degraded), patience);

  proxy.retarget(inject('redisUrl'));
  installation.start(['scheduler']);
  installation.start(['worker']);
  await installation.completed(id);
});

test('an API whose Redis is full takes documents, and they are announced when there is room', {
  timeout: 240_000,
}, async () => {
  const server = await startRedis({ directory: await temporaryDirectory(), engine: 'auto' });
  onTestFinished(server.stop);
  const client = new Redis(server.adminUrl);
  onTestFinished(() => client.disconnect());
  const installation = await openInstallation();
  onTestFinished(installation.close);
  const { send } = await startApi(installation, server.url);
  const REDIS_URL = server.url;
  installation.start(['scheduler'], { REDIS_URL });
  installation.start(['worker'], { REDIS_URL });
  await installation.completed(await send());

  await client.config('SET', 'maxmemory', '1');
  await expect(client.set('something', 'more')).rejects.toThrow(/OOM/);
  const id = await send();
  await client.config('SET', 'maxmemory', '0');
  await installation.completed(id);
});

test('a worker that is told to stop while its Redis is gone ends', {
  timeout: 240_000,
}, async () => {
  const installation = await openInstallation();
  onTestFinished(installation.close);
  const proxy = await startProxy(inject('redisUrl'));
  onTestFinished(proxy.close);
  const worker = installation.start(['worker'], {
    REDIS_URL: proxy.url,
    MILLRACE_SHUTDOWN_GRACE: '1s',
  });
  await installation.completed(await installation.admitNew('Dear Sir or Madam', 'letter.txt'));
  proxy.retarget('redis://127.0.0.1:1');
  worker.child.kill('SIGTERM');
  expect(await worker.exited).toBe(0);
});

test('a process refuses a Redis that may evict keys, and says how to mend it', {
  timeout: 60_000,
}, async () => {
  const server = await startRedis({ directory: await temporaryDirectory(), engine: 'auto' });
  onTestFinished(server.stop);
  const client = new Redis(server.adminUrl);
  onTestFinished(() => client.disconnect());
  await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
  const worker = startCli(['worker'], {
    DATABASE_URL: inject('databaseUrl'),
    REDIS_URL: server.url,
  });
  expect(await worker.exited).toBe(1);
  expect(await worker.stderr).toContain('redis-cli config set maxmemory-policy noeviction');
});
