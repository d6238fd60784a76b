import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startRedisCluster } from '../../../test/kit/redis-cluster.ts';
import { hasRedis } from '../../../test/kit/redis-server.ts';
import { openWindowCounter } from '../../api/window-counter.ts';
import { Closers } from '../../lib/closers.ts';
import { newId } from '../../lib/ids.ts';
import type { RedisClient } from '../../lib/redis-client.ts';
import { inspectProvider } from '../../providers/governor/inspect.ts';
import { openRedisStore } from '../../providers/governor/redis-store.ts';
import { openRedis } from '../../servers/redis/index.ts';
import { pipeline } from '../../workers/pipeline.ts';
import { queueNames } from '../pipeline/pipeline.ts';
import { openQueues, type Queues } from './queues.ts';

const prefix = 'millrace';
const names = queueNames(pipeline);

describe.skipIf(!hasRedis)('on a Redis Cluster', () => {
  const closers = new Closers();
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>;
  let redis: RedisClient;
  let queues: Queues;
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'millrace-cluster-'));
    closers.add(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
    const log = pino({ level: 'silent' });
    cluster = await startRedisCluster({ directory }, closers);
    redis = (await openRedis({ url: cluster.url, prefix }, log, closers)).producer;
    queues = openQueues(names, { redis, prefix, log, bundleOf: () => 4 });
    closers.add(() => queues.close());
  });
  afterAll(() => closers.close());

  test('hints of all queues are announced and looked up, alone and in bundles', async () => {
    const hints = names.flatMap((stage) =>
      Array.from({ length: 5 }, () => ({ taskId: newId(), epoch: 0, stage, suspect: false })),
    );
    await queues.announce(hints);
    const unknown = { taskId: newId(), epoch: 0, stage: 'claim', suspect: false };
    expect(await queues.known([...hints, unknown])).toEqual([...hints.map(() => true), false]);
    const used = await Promise.all(cluster.masters.map(({ client }) => client.dbsize()));
    expect(used.every((keys) => keys > 0)).toBe(true);
  });

  test('workspaces take turns in every queue', async () => {
    const log = pino({ level: 'silent' });
    const fair = openQueues(names, { redis, prefix: 'fair', log, fair: true });
    onTestFinished(() => fair.close());
    const add = (stage: string, workspaceId: string, count: number) =>
      fair.announce(
        Array.from({ length: count }, () => ({ taskId: newId(), epoch: 0, stage, workspaceId })),
      );
    for (const stage of names) {
      await add(stage, 'heavy', 5);
      await add(stage, 'light', 1);
      const jobs = (await fair.byStage.get(stage)?.getPrioritized()) ?? [];
      expect(jobs.map(({ priority }) => priority)).toEqual([1, 1, 2, 3, 4, 5]);
    }
  });

  test('the loss of any server with queues is noticed', async () => {
    await queues.lostMemory();
    expect(await queues.lostMemory()).toBe(false);
    for (const { client } of cluster.masters) {
      await client.flushall();
      expect(await queues.lostMemory()).toBe(true);
      expect(await queues.lostMemory()).toBe(false);
    }
  });

  test('limits of providers and of logins are shared', async () => {
    const limits = { requestsPerMinute: 1, failures: 2, coolDownMs: 1000 };
    const [one, other] = [openRedisStore(redis, { prefix }), openRedisStore(redis, { prefix })];
    expect(await one.admit('acme', limits)).toMatchObject({ admitted: true });
    expect(await other.admit('acme', limits)).toMatchObject({ reason: 'budget' });
    const { budgetUntil } = await inspectProvider(redis, { prefix, provider: 'acme', limits });
    expect(budgetUntil?.getTime()).toBeGreaterThan(Date.now());
    const [here, there] = [openWindowCounter(redis, prefix), openWindowCounter(redis, prefix)];
    for (let i = 0; i < 5; i++) expect(await here.count('a', 5)).toBe(0);
    expect(await there.count('a', 5)).toBeGreaterThan(0);
  });
});
