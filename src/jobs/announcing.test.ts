import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { openTestEngine } from '../../test/kit/engine.ts';
import { uniquePrefix } from '../../test/kit/redis.ts';
import { openDatabase } from '../db/index.ts';
import { done } from '../engine/pipeline/outcome.ts';
import { definePipeline, end, step } from '../engine/pipeline/pipeline.ts';
import { defineStage } from '../engine/pipeline/stage.ts';
import { openQueues, type Queues } from '../engine/queues/queues.ts';
import { openJobRunner } from '../engine/schedule/job-runner.ts';
import { type JobContext, startScheduler } from '../engine/schedule/scheduler.ts';
import { hintsIn, quarantine } from '../engine/task/task.ts';
import { DAY, MINUTE } from '../lib/time.ts';
import { announceDue } from './announce-due-tasks.ts';
import { reconcile } from './reconcile-queues.ts';
import { schedule } from './schedule.ts';
import { forgetAnnouncements } from './watch-redis.ts';

const pipeline = definePipeline({
  claim: step(defineStage({ run: async () => done('on') }), { on: end }),
});
/** What the batch monitor needs. */
const batchSettings = {
  admission: { first: 'claim', giveUpMs: MINUTE },
  batchGraceMs: MINUTE,
  batchStuckMs: MINUTE,
  storageGraceMs: MINUTE,
  keepHistoryMs: DAY,
  keepAuditMs: DAY,
};

let engine: Awaited<ReturnType<typeof openTestEngine>>;
let redis: Redis;
let queues: Queues;
beforeAll(async () => {
  engine = await openTestEngine(pipeline);
  redis = new Redis(inject('redisUrl'));
  queues = openQueues(['claim'], { redis, prefix: uniquePrefix(), log: engine.resources.log });
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
  expect(await reconcile(pool(), queues, { olderThanMs: 60_000, limit: 10 })).toEqual({
    checked: 0,
    restored: 0,
  });
  expect(await reconcile(pool(), queues, { olderThanMs: 0, limit: 10 })).toEqual({
    checked: 1,
    restored: 1,
  });
  expect(await reconcile(pool(), queues, { olderThanMs: 0, limit: 10 })).toEqual({
    checked: 1,
    restored: 0,
  });
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

test('a task of a stage that only a newer version knows is left to it, and holds nobody up', async () => {
  const [newer, plain] = [await engine.admit(), await engine.admit()];
  const { id } = await engine.taskOf(newer.documentId);
  await pool().query("update tasks set stage = 'classify' where id = $1", [id]);
  await forgetAnnouncements(pool());
  await queues.byStage.get('claim')?.obliterate({ force: true });
  await announceDue(pool(), queues, 100);
  const [job] = (await queues.byStage.get('claim')?.getWaiting()) ?? [];
  expect(await engine.taskOf(newer.documentId)).toMatchObject({
    state: 'ready',
    announcedAt: null,
  });
  expect((await engine.taskOf(plain.documentId)).announcedAt).not.toBeNull();
  await pool().query(
    "update tasks set announced_at = now() - interval '1 hour' where state = 'ready'",
  );
  await queues.byStage.get('claim')?.obliterate({ force: true });
  expect(await reconcile(pool(), queues, { olderThanMs: 60_000, limit: 10 })).toMatchObject({
    restored: 2,
  });
  expect(job).toBeDefined();
  await pool().query("update tasks set stage = 'claim' where id = $1", [id]);
});

const contextOf = (): JobContext => ({
  ...engine.resources,
  queues,
  policy: engine.runnerWith().policy,
  failSubject: async () => undefined,
  leaseMs: 60_000,
  ...batchSettings,
});

test('a process that is stopped in the middle of a pass does not keep others from the job', async () => {
  const passes: string[] = [];
  const other = { everyMs: 3_600_000, run: async () => ({ passes: passes.push('other') }) };
  const job = {
    everyMs: 3_600_000,
    async run() {
      // Blocks this process, as if it had been suspended.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
      await vi.waitFor(async () => {
        if (!(await openJobRunner({ job: other }, contextOf()).runOnce('job')))
          throw new Error('The lock is held');
      }, 20_000);
      return { passes: passes.push('stopped') };
    },
  };
  const late = openJobRunner({ job }, contextOf(), 500).runOnce('job');
  await expect(late).rejects.toThrow(/connection/);
  expect(passes).toEqual(['other', 'stopped']);
});

test('a job that another process is at is not run twice', async () => {
  const context = contextOf();
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

test('hints that wait in bundles are known, and given again when they are not there', async () => {
  const bundling = openQueues(['claim'], {
    redis,
    prefix: uniquePrefix(),
    log: engine.resources.log,
    bundleOf: () => 4,
  });
  const queue = bundling.byStage.get('claim');
  for (let i = 0; i < 9; i++) await engine.admit();
  const all = await forgetAnnouncements(pool());
  expect(await announceDue(pool(), bundling, 100)).toBe(all);
  const jobs = (await queue?.getWaiting()) ?? [];
  expect(jobs.length).toBe(Math.ceil(all / 4));
  expect(new Set(jobs.flatMap(({ data }) => hintsIn(data)).map(({ taskId }) => taskId)).size).toBe(
    all,
  );
  expect(await reconcile(pool(), bundling, { olderThanMs: 0, limit: 100 })).toEqual({
    checked: all,
    restored: 0,
  });
  await jobs[0]?.remove();
  const lost = hintsIn(jobs[0]?.data ?? { tasks: [] }).length;
  expect(await reconcile(pool(), bundling, { olderThanMs: 0, limit: 100 })).toEqual({
    checked: all,
    restored: lost,
  });
  expect(await reconcile(pool(), bundling, { olderThanMs: 0, limit: 100 })).toEqual({
    checked: all,
    restored: 0,
  });
  await bundling.close();
});

test('passes of more jobs than there are connections do not starve one another', async () => {
  const database = openDatabase({ url: engine.url, connections: 2, onError: () => undefined });
  const names = ['one', 'two', 'three', 'four'];
  // All of them hold their locks before the first one asks for a connection.
  const begun = new Set<string>();
  const job = (name: string) => ({
    everyMs: MINUTE,
    async run() {
      begun.add(name);
      await vi.waitFor(() => expect(begun.size).toBeGreaterThanOrEqual(2), 20_000);
      return { rows: (await database.pool.query('select 1')).rowCount ?? 0 };
    },
  });
  const runner = openJobRunner(Object.fromEntries(names.map((name) => [name, job(name)])), {
    ...contextOf(),
    database,
  });
  expect(await Promise.all(names.map((name) => runner.runOnce(name)))).toEqual(
    names.map(() => ({ rows: 1 })),
  );
  await database.close();
});

test('every interval job makes a pass on an idle system', async () => {
  const scheduler = startScheduler(schedule, contextOf());
  await scheduler.stop();
  for (const name of Object.keys(schedule))
    expect([name, await scheduler.runOnce(name)]).toEqual([name, expect.any(Object)]);
});

test('a suspect is announced to the quarantine and to nobody else', async () => {
  const { documentId } = await engine.admit();
  const { id } = await engine.taskOf(documentId);
  await pool().query('update tasks set suspect = true, announced_at = null where id = $1', [id]);
  const before = await waiting();
  expect(await announceDue(pool(), queues, 100)).toBe(1);
  expect(await waiting()).toBe(before);
  expect(await queues.byStage.get(quarantine)?.getWaiting()).toMatchObject([
    { name: 'claim', data: { taskId: id } },
  ]);
});
