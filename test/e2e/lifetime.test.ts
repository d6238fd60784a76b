import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { queueNames } from '../../src/engine/pipeline/pipeline.ts';
import { openQueues, type Queues } from '../../src/engine/queues/queues.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { startCli } from '../kit/cli.ts';
import { openTestEngine } from '../kit/engine.ts';
import { uniquePrefix } from '../kit/redis.ts';

/** Worker processes that end after their share of work, and what takes their place. */

const prefix = uniquePrefix();
/** Generous: it is a matter of whether, and the machine may be busy. */
const patience = { timeout: 200_000, interval: 100 };
let engine: Awaited<ReturnType<typeof openTestEngine>>;
let redis: Redis;
let queues: Queues;
beforeAll(async () => {
  engine = await openTestEngine(pipeline);
  redis = new Redis(inject('redisUrl'));
  queues = openQueues(queueNames(pipeline), { redis, prefix, log: engine.resources.log });
});
afterAll(async () => {
  await queues.close();
  redis.disconnect();
  await engine.close();
});

const startWorker = (args: string[], limits: Record<string, string>) =>
  startCli(['worker', ...args], {
    DATABASE_URL: engine.url,
    REDIS_URL: inject('redisUrl'),
    MILLRACE_DATA: engine.directory,
    MILLRACE_REDIS_PREFIX: prefix,
    MILLRACE_SANDBOX_PROCESSES: '1',
    LOG_LEVEL: 'warn',
    ...limits,
  });
const admit = async (text: string) =>
  (await engine.admit(text, 'note.txt', { announce: queues.announce })).documentId;
const query = async <Row extends object>(text: string) =>
  (await engine.resources.database.pool.query<Row>(text)).rows;
const endings = async () =>
  (
    await query<{ reason: string }>(
      "select data->>'reason' as reason from events where type = 'WORKER_FINISHED' order by id",
    )
  ).map(({ reason }) => reason);

test('a hundred documents outlive many workers: none is lost, no attempt is charged', {
  timeout: 240_000,
}, async () => {
  for (let i = 0; i < 100; i++) await admit(`Note ${i}`);
  const parent = startWorker(['--respawn'], { MILLRACE_WORKER_LIFETIME: '20' });
  await vi.waitFor(async () => {
    expect(await query("select status from ingestions where status <> 'completed'")).toEqual([]);
  }, patience);
  parent.child.kill('SIGTERM');
  expect(await parent.exited).toBe(0);
  const reasons = await endings();
  expect(reasons.filter((reason) => reason === 'lifetime').length).toBeGreaterThan(3);
  expect(
    await query(
      'select count(*)::int, sum(attempts)::int as attempts, sum(losses)::int as losses from tasks',
    ),
  ).toEqual([{ count: 100, attempts: 0, losses: 0 }]);
});

test('a worker above its memory mark finishes what it has, says so and ends with code 0', {
  timeout: 240_000,
}, async () => {
  const id = await admit('One more note');
  const worker = startWorker(['--stages', 'claim'], { MILLRACE_WORKER_MEMORY_MB: '1' });
  expect(await worker.exited).toBe(0);
  expect(await engine.taskOf(id)).toMatchObject({
    stage: 'transcribe',
    state: 'ready',
    attempts: 0,
  });
  expect((await endings()).at(-1)).toBe('memory');
});
