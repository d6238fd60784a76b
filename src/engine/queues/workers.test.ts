import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { openTestEngine } from '../../../test/kit/engine.ts';
import { uniquePrefix } from '../../../test/kit/redis.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { done } from '../pipeline/outcome.ts';
import {
  bundleSize,
  defaultLimits,
  definePipeline,
  end,
  queueNames,
  step,
} from '../pipeline/pipeline.ts';
import { defineStage } from '../pipeline/stage.ts';
import type { Runner } from '../task/runner.ts';
import { Progress } from './progress.ts';
import { openQueues, type Queues } from './queues.ts';
import { startWorkers, type Workers, type WorkersOptions } from './workers.ts';

/** Documents that a test blocks, by name, until it releases them. */
const held = new Map<string, () => void>();
const running = new Set<string>();

const claim = defineStage({ bundle: 3, run: async () => done('on') });
const read = defineStage({
  concurrency: 4,
  lanes: { large: { concurrency: 1, timeoutMs: MINUTE } },
  async run({ name }) {
    if (!name.startsWith('held')) return done('on');
    running.add(name);
    await new Promise<void>((resolve) => held.set(name, resolve));
    running.delete(name);
    return done('on');
  },
});
const pipeline = definePipeline({
  claim: step(claim, { on: 'read' }),
  read: step(read, { on: end }),
});
const largeFrom = { bytes: 100, pages: 10 };
const patience = { timeout: 30 * SECOND, interval: 20 };

let engine: Awaited<ReturnType<typeof openTestEngine>>;
let redis: Redis;
beforeAll(async () => {
  engine = await openTestEngine(pipeline);
  redis = new Redis(inject('redisUrl'), { maxRetriesPerRequest: null });
});
afterAll(async () => {
  await redis.quit();
  await engine.close();
});

let stop = async (): Promise<void> => undefined;
afterEach(async () => {
  for (const letGo of held.values()) letGo();
  held.clear();
  await stop();
});

/** Workers for all queues in this process, under a queue prefix of their own. */
function start(options: Partial<WorkersOptions> = {}, change = (runner: Runner) => runner): Queues {
  const prefix = uniquePrefix();
  const bundling = (queue: string) => bundleSize(pipeline, queue);
  const queues = openQueues(queueNames(pipeline), {
    redis,
    prefix,
    log: engine.resources.log,
    bundleOf: bundling,
  });
  const runner = change(engine.runnerWith({ largeFrom, announce: queues.announce }));
  const workers: Workers = startWorkers(runner, {
    queues: queueNames(pipeline),
    redis,
    prefix,
    limitsOf: (queue) => ({
      concurrency: defaultLimits(pipeline, queue).concurrency,
      rate: undefined,
    }),
    ...options,
  });
  stop = async () => {
    await workers.stop(10 * SECOND);
    await queues.close();
  };
  return queues;
}

const admit = async (queues: Queues, name: string, bytes = 1) =>
  (await engine.admit('x'.repeat(bytes), name, { announce: queues.announce })).documentId;
const finished = (id: string) =>
  vi.waitFor(
    async () => expect(await engine.taskOf(id)).toMatchObject({ state: 'done', attempts: 0 }),
    patience,
  );
const begun = (name: string) => vi.waitFor(() => expect(running).toContain(name), patience);
const waiting = (queues: Queues, queue: string, count: number) =>
  vi.waitFor(
    async () =>
      expect(await queues.byStage.get(queue)?.getJobCounts('waiting', 'active')).toEqual({
        waiting: count,
        active: 0,
      }),
    patience,
  );

test('small documents go through while the only worker of the large lane is taken', async () => {
  const queues = start();
  const first = await admit(queues, 'held-large-1.txt', 100);
  await begun('held-large-1.txt');
  const second = await admit(queues, 'held-large-2.txt', 100);
  const small = await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => admit(queues, `${name}.txt`)),
  );
  await Promise.all(small.map(finished));
  expect(await engine.taskOf(first)).toMatchObject({ state: 'running', lane: 'large' });
  expect(await engine.taskOf(second)).toMatchObject({ state: 'ready', lane: 'large' });
});

test('a bundle brings its tasks through together, whatever becomes of one of them', async () => {
  const [broken, ...others] = await Promise.all([1, 2, 3, 4, 5].map(() => engine.admit()));
  const ids = new Map<string, string>();
  for (const { documentId } of [broken, ...others].filter((made) => made !== undefined))
    ids.set((await engine.taskOf(documentId)).id, documentId);
  const [unlucky] = ids.keys();
  const queues = start({}, (runner) => ({
    ...runner,
    take: (request) =>
      request.taskId === unlucky && request.stage === 'claim'
        ? Promise.reject(new Error('Connection terminated unexpectedly'))
        : runner.take(request),
  }));
  await queues.announce([...ids.keys()].map((taskId) => ({ taskId, epoch: 0, stage: 'claim' })));
  await Promise.all(others.map(({ documentId }) => finished(documentId)));
  expect(await engine.taskOf(ids.get(unlucky ?? '') ?? '')).toMatchObject({
    state: 'ready',
    stage: 'claim',
    epoch: 0,
  });
});

test('what finds no room in its process stays in the queue, and is taken when there is some', async () => {
  const queues = start({ slots: 5 });
  const large = await admit(queues, 'held-roomy.txt', 100);
  await begun('held-roomy.txt');
  const small = await admit(queues, 'small.txt');
  await waiting(queues, 'claim', 1);
  expect(await engine.taskOf(small)).toMatchObject({ state: 'ready', stage: 'claim', epoch: 0 });
  held.get('held-roomy.txt')?.();
  await Promise.all([finished(large), finished(small)]);
});

test('a large task waits for its room, and small ones that come later wait for it', async () => {
  const queues = start({ slots: 5 });
  await admit(queues, 'held-one.txt');
  await admit(queues, 'held-two.txt');
  await begun('held-one.txt');
  await begun('held-two.txt');
  const large = await admit(queues, 'held-three.txt', 100);
  await waiting(queues, 'read-large', 1);
  expect(await engine.taskOf(large)).toMatchObject({ state: 'ready', lane: 'large' });
  held.get('held-one.txt')?.();
  const later = await admit(queues, 'later.txt');
  await waiting(queues, 'claim', 1);
  held.get('held-two.txt')?.();
  await begun('held-three.txt');
  held.get('held-three.txt')?.();
  await Promise.all([finished(large), finished(later)]);
});

test('a stage that waits for room is no standstill', async () => {
  let now = 0;
  const progress = new Progress(queueNames(pipeline), () => now);
  const queues = start({ slots: 5, progress });
  await admit(queues, 'held-long.txt', 100);
  await begun('held-long.txt');
  const small = await admit(queues, 'patient.txt');
  await waiting(queues, 'claim', 1);
  now += 10 * MINUTE;
  expect(await progress.stallReason(queues)).toBeUndefined();
  held.get('held-long.txt')?.();
  await finished(small);
});
