import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { startProxy } from '../../../test/chaos/proxy.ts';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { Progress } from '../../engine/queues/progress.ts';
import { startWorkers, type Workers } from '../../engine/queues/workers.ts';
import { HOUR } from '../../lib/time.ts';

/** A worker whose connection to Redis can be blocked without affecting anything else. */
const patience = { timeout: 30_000, interval: 50 };
const stallChecks: (() => Promise<string | undefined>)[] = [];
let clock = 0;
let api: TestApi;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let redis: Redis;
let workers: Workers;
beforeAll(async () => {
  api = await openTestApi({ context: { stallChecks } });
  proxy = await startProxy(inject('redisUrl'));
  redis = new Redis(proxy.url, { maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  const progress = new Progress(api.stages, () => clock);
  stallChecks.push(() => progress.stallReason(api.queues));
  workers = startWorkers(api.runnerWith({ announce: api.queues.announce }), {
    queues: api.stages,
    progress,
    redis,
    prefix: api.prefix,
    limitsOf: () => ({ concurrency: 2, rate: undefined }),
  });
});
afterAll(async () => {
  await workers.stop(1_000);
  redis.disconnect();
  await proxy.close();
  await api.close();
});

const live = async () => {
  const answer = await fetch(`${api.url}/livez`);
  return { status: answer.status, text: await answer.text() };
};
const admit = async () =>
  (await api.admit('text', 'a.txt', { announce: api.queues.announce })).documentId;
const untilCompleted = (id: string) =>
  vi.waitFor(
    async () => expect(await api.ingestionOf(id)).toMatchObject({ status: 'completed' }),
    patience,
  );

test('a worker is alive as long as it gets on, and not when it is stuck with work to do', async () => {
  await untilCompleted(await admit());
  clock += HOUR;
  // Idle is not stuck.
  expect((await live()).status).toBe(200);

  proxy.swallow(true);
  const waiting = await admit();
  expect(await live()).toMatchObject({
    status: 503,
    text: expect.stringContaining('jobs are waiting in claim'),
  });

  proxy.swallow(false);
  await untilCompleted(waiting);
  expect((await live()).status).toBe(200);
}, 60_000);
