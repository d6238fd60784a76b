import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { openTestEngine } from '../../../test/kit/engine.ts';
import { uniquePrefix } from '../../../test/kit/redis.ts';
import { ensureWorkspace } from '../../db/workspaces.ts';
import { openIntake } from '../../intake/intake.ts';
import { upload } from '../../intake/upload.ts';
import { newId } from '../../lib/ids.ts';
import { HOUR, monotonicNow, SECOND } from '../../lib/time.ts';
import { complete, done } from '../pipeline/outcome.ts';
import { definePipeline, end, queueNames, step } from '../pipeline/pipeline.ts';
import { defineStage } from '../pipeline/stage.ts';
import type { Announcement } from '../task/task.ts';
import { openQueues, queuePrefix } from './queues.ts';
import { startWorkers } from './workers.ts';

const log = pino({ level: 'silent' });
let redis: Redis;
beforeAll(() => {
  redis = new Redis(inject('redisUrl'), { maxRetriesPerRequest: null });
});
afterAll(() => redis.quit());

function openFair() {
  const prefix = uniquePrefix();
  const queues = openQueues(['read'], { redis, prefix, log, isFair: () => true });
  onTestFinished(queues.close);
  const add = (workspaceId: string, count: number) =>
    queues.announce(
      Array.from(
        { length: count },
        (): Announcement => ({ taskId: newId(), epoch: 0, stage: 'read', workspaceId }),
      ),
    );
  return { prefix, queues, add };
}

/** The rounds of the first jobs that a worker gets, in order. */
async function takenFrom(prefix: string, count: number): Promise<number[]> {
  const taken: number[] = [];
  const worker = new Worker('read', undefined, {
    connection: redis,
    prefix: queuePrefix(prefix, 'read'),
  });
  onTestFinished(() => worker.close());
  while (taken.length < count) {
    const job = await worker.getNextJob('token');
    if (!job) break;
    taken.push(job.priority);
    await job.moveToCompleted(null, 'token', false);
  }
  return taken;
}

test('workspaces take turns, however many jobs one has queued before', async () => {
  const { prefix, queues, add } = openFair();
  await add('heavy', 130);
  await add('light', 10);
  await add('other', 2);
  // Three workspaces in rounds 1 and 2, two in rounds 3 to 10, then only the first.
  const expected = [1, 1, 1, 2, 2, 2, ...[3, 4, 5, 6, 7, 8, 9, 10].flatMap((n) => [n, n]), 11, 12];
  expect(await takenFrom(prefix, expected.length)).toEqual(expected);
  expect(await queues.byStage.get('read')?.getPrioritizedCount()).toBe(142 - expected.length);
});

test('who comes later joins the current round, and an empty queue starts over', async () => {
  const { prefix, queues, add } = openFair();
  const queue = queues.byStage.get('read');
  await add('heavy', 50);
  await takenFrom(prefix, 30);
  await add('late', 1);
  const [first, second] = (await queue?.getPrioritized(0, 1)) ?? [];
  expect([first?.priority, second?.priority]).toEqual([31, 31]);
  await takenFrom(prefix, 100);
  await add('heavy', 1);
  expect((await queue?.getPrioritized()) ?? []).toMatchObject([{ priority: 1 }]);
});

const workMs = 100;
const pipeline = definePipeline({
  claim: step(defineStage({ bundle: 16, run: async () => done('on') }), { on: 'read' }),
  read: step(
    defineStage({
      concurrency: 4,
      async run() {
        await sleep(workMs);
        return complete('read');
      },
    }),
    { read: end },
  ),
});

test('ten documents behind 130 of another workspace start to complete nearly as soon as on an idle system', {
  timeout: 120 * SECOND,
}, async () => {
  const engine = await openTestEngine(pipeline);
  onTestFinished(engine.close);
  const { database } = engine.resources;
  const prefix = uniquePrefix();
  const bundleOf = (queue: string) => (queue === 'claim' ? 16 : 1);
  const queues = openQueues(queueNames(pipeline), {
    redis,
    prefix,
    log,
    bundleOf,
    isFair: (queue) => bundleOf(queue) === 1,
  });
  onTestFinished(queues.close);
  const { announce } = queues;
  const runner = engine.runnerWith({ announce });
  const workers = startWorkers(runner, {
    queues: queueNames(pipeline),
    redis,
    prefix,
    limitsOf: () => ({ concurrency: 4, rate: undefined }),
  });
  onTestFinished(() => workers.stop(SECOND));
  const settings = { first: 'claim', giveUpMs: HOUR, maxBytes: 1000, announce };
  const intake = openIntake(database.db, settings);
  const send = async (workspaceId: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        upload(engine.resources, intake, {
          workspaceId,
          name: 'a.txt',
          body: Buffer.from(newId()),
        }),
      ),
    );
  const completed = async (workspaceId: string): Promise<number> => {
    const sql = "select from ingestions where status = 'completed' and workspace_id = $1";
    return (await database.pool.query(sql, [workspaceId])).rowCount ?? 0;
  };
  const untilFirst = async (name: string) => {
    const workspaceId = await ensureWorkspace(database.db, name);
    const startedAt = monotonicNow();
    await send(workspaceId, 10);
    await vi.waitFor(async () => expect(await completed(workspaceId)).toBeGreaterThan(0), {
      timeout: 60 * SECOND,
      interval: 10,
    });
    return monotonicNow() - startedAt;
  };
  await untilFirst('warm-up');
  const idleMs = await untilFirst('alone');
  const heavy = await ensureWorkspace(database.db, 'heavy');
  await send(heavy, 130);
  await vi.waitFor(async () => expect(await completed(heavy)).toBeGreaterThan(3), {
    timeout: 60 * SECOND,
  });
  const behindMs = await untilFirst('behind');
  expect(await completed(heavy)).toBeLessThan(100);
  expect(behindMs).toBeLessThan(3 * idleMs + 2 * workMs);
});
