import { Redis } from 'ioredis';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { startWorkers } from '../../src/engine/queues/workers.ts';
import { MINUTE, SECOND } from '../../src/lib/time.ts';
import { openS3 } from '../../src/storage/s3/index.ts';
import { openTestApi } from '../kit/api.ts';
import { s3SettingsOf, startS3Server } from '../kit/s3-server.ts';

const uploaded = z.object({ id: z.string(), href: z.string() });

async function s3Storage() {
  const { stop, ...server } = await startS3Server();
  onTestFinished(stop);
  const storage = await openS3(s3SettingsOf(server));
  onTestFinished(() => storage.close());
  return { storage, endpoint: server.endpoint };
}

describe('the API', () => {
  test('takes a document in, has it processed through Redis and hands it out by a link to storage', async () => {
    const { storage, endpoint } = await s3Storage();
    const api = await openTestApi({ resources: { storage } });
    onTestFinished(api.close);
    const redis = new Redis(inject('redisUrl'), { maxRetriesPerRequest: null });
    onTestFinished(() => redis.disconnect());
    const workers = startWorkers(api.runnerWith({ announce: api.queues.announce }), {
      queues: api.stages,
      redis,
      prefix: api.prefix,
      limitsOf: () => ({ concurrency: 2, rate: undefined }),
    });
    onTestFinished(() => workers.stop(10 * SECOND));

    const body = new FormData();
    body.append('file', new Blob(['bytes']), 'ünvoice.txt');
    const answer = await api.call('/v1/documents', { method: 'POST', body });
    const { href } = uploaded.parse(
      (await z.object({ documents: z.array(uploaded) }).parse(await answer.json())).documents[0],
    );
    await vi.waitFor(
      async () => expect((await api.call(`${href}/result`)).status).toBe(200),
      20 * SECOND,
    );

    const redirect = await api.call(`${href}/artifacts/original`);
    expect(redirect.status).toBe(307);
    const link = redirect.headers.get('location') ?? '';
    expect(new URL(link).origin).toBe(endpoint);
    expect(link).not.toContain(api.keys.user);
    const download = await fetch(link);
    expect(await download.text()).toBe('bytes');
    expect(download.headers.get('content-disposition')).toMatch(/^attachment/);
  });

  test('takes documents in, and tells its metrics, while Redis is down', async () => {
    const redis = new Redis({ port: 1, maxRetriesPerRequest: 1, enableOfflineQueue: false });
    redis.on('error', () => undefined);
    const api = await openTestApi({ redis });
    onTestFinished(api.close);
    const answer = await api.call('/v1/documents?name=a.txt', { method: 'POST', body: 'text' });
    expect(answer.status).toBe(202);
    const { id } = uploaded.parse(await answer.json());
    expect(await api.taskOf(id)).toMatchObject({ state: 'ready', stage: 'claim' });
    const metrics = await fetch(`${api.url}/metrics`);
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).not.toMatch(/^millrace_queue_jobs\{/m);
  });

  test('ends requests that run before it closes', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const check = vi.fn(() => held);
    const api = await openTestApi({ context: { checks: { slow: check } } });
    const answer = fetch(`${api.url}/readyz`);
    await vi.waitFor(() => expect(check).toHaveBeenCalled(), MINUTE);
    const closing = api.close();
    release();
    expect((await answer).status).toBe(200);
    await closing;
    await expect(fetch(`${api.url}/livez`)).rejects.toThrow();
  });
});
