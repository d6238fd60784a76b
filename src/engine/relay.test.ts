import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openTestEngine } from '../../test/kit/engine.ts';
import { uniquePrefix } from '../../test/kit/redis.ts';
import { schedule } from '../jobs/schedule.ts';
import { MINUTE } from '../lib/time.ts';
import { type JobContext, startScheduler } from './interval.ts';
import { done } from './outcome.ts';
import { definePipeline, end, step } from './pipeline.ts';
import { openQueues, type Queues } from './queues.ts';
import { announceDue, forgetAnnouncements, reconcile } from './relay.ts';
import { defineStage } from './stage.ts';

const pipeline = definePipeline({ claim: step(defineStage({ run: async () => done('on') }), { on: end }) });
/** What the batch monitor needs. */
const batchSettings = { admission: { first: 'claim', giveUpMs: MINUTE }, batchGraceMs: MINUTE, storageGraceMs: MINUTE };

let engine: Awaited<ReturnType<typeof openTestEngine>>;
let redis: Redis;
let queues: Queues;
beforeAll(async () => {
  engine = await openTestEngine(pipeline);
  redis = new Redis(inject('redisUrl'));
  queues = openQueues(['claim'], { redis, prefix: uniquePrefix().replace(/[{}]/g, ''), log: engine.resources.log });
});
afterAll(async () => {
  await queues.close();
  redis.disconnect();
  await engine.close();
});

const waiting = () => queues.byStage.get('claim')?.getWaitingCount();
const pool = () => engine.resources.database.pool;

test('a task whose hint was lost is found again, once', async () => {
  const { documentId } = await engine.admit();
  expect(await waiting()).toBe(0);
  expect(await reconcile(pool(), queues, { olderThanMs: 60_000, limit: 10 })).toEqual({ checked: 0, restored: 0 });
  expect(await reconcile(pool(), queues, { olderThanMs: 0, limit: 10 })).toEqual({ checked: 1, restored: 1 });
  expect(await reconcile(pool(), queues, { olderThanMs: 0, limit: 10 })).toEqual({ checked: 1, restored: 0 });
  expect(await waiting()).toBe(1);
  const [job] = (await queues.byStage.get('claim')?.getWaiting()) ?? [];
  expect(job?.data).toEqual({ taskId: (await engine.taskOf(documentId)).id, epoch: 0 });
});

test('after Redis lost its memory every waiting task is announced again', async () => {
  await queues.lostMemory();
  expect(await queues.lostMemory()).toBe(false);
  await queues.byStage.get('claim')?.obliterate({ force: true });
  await redis.del((await redis.keys('*:incarnation')).filter((key) => key.startsWith('test')));
  expect(await queues.lostMemory()).toBe(true);
  expect(await forgetAnnouncements(pool())).toBe(1);
  expect(await announceDue(pool(), queues, 100)).toBe(1);
  expect(await announceDue(pool(), queues, 100)).toBe(0);
  expect(await waiting()).toBe(1);
});

test('a job that another process is at is not run twice', async () => {
  const context: JobContext = {
    ...engine.resources,
    queues,
    policy: engine.runnerWith().policy,
    leaseMs: 60_000,
    ...batchSettings,
  };
  let running = 0;
  let most = 0;
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const job = {
    everyMs: 3_600_000,
    async run() {
      running += 1;
      most = Math.max(most, running);
      await held;
      running -= 1;
      return { passes: 1 };
    },
  };
  const schedulers = [startScheduler({ job }, context), startScheduler({ job }, context)];
  const passes = Promise.all(schedulers.map((scheduler) => scheduler.runOnce('job')));
  setTimeout(release, 50);
  expect((await passes).filter(Boolean).length).toBeLessThanOrEqual(1);
  expect(most).toBe(1);
  await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
});

test('every interval job makes a pass on an idle system', async () => {
  const scheduler = startScheduler(schedule, {
    ...engine.resources,
    queues,
    policy: engine.runnerWith().policy,
    leaseMs: 60_000,
    ...batchSettings,
  });
  await scheduler.stop();
  for (const name of Object.keys(schedule))
    expect([name, await scheduler.runOnce(name)]).toEqual([name, expect.any(Object)]);
});
