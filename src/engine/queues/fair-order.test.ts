import { EventEmitter, once } from 'node:events';
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
import { HOUR, SECOND } from '../../lib/time.ts';
import { complete, done } from '../pipeline/outcome.ts';
import { bundleSize, definePipeline, end, queueNames, step } from '../pipeline/pipeline.ts';
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
  const queues = openQueues(['read'], { redis, prefix, log, fair: true });
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

const [concurrency, heavyCount, lightCount] = [4, 130, 10];

/** A pipeline whose second stage waits until it is opened, and the order in which tasks start. */
function gatedPipeline() {
  const gate = new EventEmitter();
  const opened = once(gate, 'open');
  const order: string[] = [];
  const read = defineStage({
    concurrency,
    async run(document) {
      order.push(document.workspaceId);
      await opened;
      return complete('read');
    },
  });
  const claim = defineStage({ bundle: 16, run: async () => done('on') });
  const pipeline = definePipeline({
    claim: step(claim, { on: 'read' }),
    read: step(read, { read: end }),
  });
  return { pipeline, order, open: () => gate.emit('open') };
}

async function startGated() {
  const { pipeline, order, open } = gatedPipeline();
  const engine = await openTestEngine(pipeline);
  onTestFinished(engine.close);
  const prefix = uniquePrefix();
  const bundleOf = (queue: string) => bundleSize(pipeline, queue);
  const queues = openQueues(queueNames(pipeline), { redis, prefix, log, bundleOf, fair: true });
  onTestFinished(queues.close);
  const workers = startWorkers(engine.runnerWith({ announce: queues.announce }), {
    queues: queueNames(pipeline),
    redis,
    prefix,
    limitsOf: () => ({ concurrency, rate: undefined }),
  });
  onTestFinished(() => workers.stop(SECOND));
  const intake = openIntake(engine.resources.database.db, {
    first: 'claim',
    giveUpMs: HOUR,
    maxBytes: 1000,
    announce: queues.announce,
  });
  const send = async (workspaceId: string, count: number) => {
    const one = () => ({ workspaceId, name: 'a.txt', body: Buffer.from(newId()) });
    await Promise.all(Array.from({ length: count }, () => upload(engine.resources, intake, one())));
  };
  const queued = (count: number) =>
    vi.waitFor(
      async () => expect(await queues.byStage.get('read')?.getPrioritizedCount()).toBe(count),
      { timeout: 60 * SECOND },
    );
  return { database: engine.resources.database, order, open, send, queued };
}

test('ten documents do not wait behind 130 of another workspace', {
  timeout: 120 * SECOND,
}, async () => {
  const { database, order, open, send, queued } = await startGated();
  const heavy = await ensureWorkspace(database.db, 'heavy');
  const light = await ensureWorkspace(database.db, 'light');
  await send(heavy, heavyCount);
  await queued(heavyCount - concurrency);
  await send(light, lightCount);
  await queued(heavyCount - concurrency + lightCount);
  open();
  await vi.waitFor(() => expect(order).toHaveLength(heavyCount + lightCount), {
    timeout: 60 * SECOND,
  });
  // The running tasks, then one of each workspace in turn. Tasks that start at the same time may
  // be recorded in any order.
  expect(order.indexOf(light)).toBeLessThan(concurrency + 2 + concurrency);
  expect(order.lastIndexOf(light)).toBeLessThan(concurrency + 2 * lightCount + concurrency);
});
