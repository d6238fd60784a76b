import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openTestApi, type TestApi } from '../../test/kit/api.ts';
import { watchRedis } from './watch-redis.ts';

const lines: string[] = [];
const redis = new Redis(inject('redisUrl'));
let api: TestApi;
beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  api = await openTestApi({ resources: { log }, schedule: { 'watch-redis': watchRedis }, redis });
});
afterAll(() => api.close());

const losses = async () =>
  (await api.resources.metrics.registry.getSingleMetric('millrace_redis_losses_total')?.get())
    ?.values[0]?.value;
const pass = () => api.context.jobs.runOnce('watch-redis');
const flush = () => redis.del(`${api.prefix}:incarnation`);

test('an empty Redis on first use is no loss, and one without waiting work is no warning', async () => {
  await pass();
  expect([await losses(), lines]).toEqual([0, []]);
  await flush();
  await pass();
  expect([await losses(), lines]).toEqual([1, []]);
});

test('what waits is announced again, with a warning', async () => {
  await api.admit();
  await flush();
  expect(await pass()).toEqual({ forgotten: 1 });
  expect(await losses()).toBe(2);
  expect(lines).toEqual([expect.stringContaining('Redis has lost its data')]);
});
