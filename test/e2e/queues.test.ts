import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { openQueues, type Queues } from '../../src/engine/queues.ts';
import { newId } from '../../src/lib/ids.ts';
import { keys } from '../../src/lib/keys.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { startCli } from '../kit/cli.ts';
import { openTestEngine } from '../kit/engine.ts';
import { uniquePrefix } from '../kit/redis.ts';

/** Real worker processes on real Redis and Postgres, as pods would run them. */

const prefix = uniquePrefix().replace(/[^a-z0-9-]/g, '');
/** Generous: it is a matter of whether, and the machine may be busy. */
const patience = { timeout: 200_000, interval: 50 };
let engine: Awaited<ReturnType<typeof openTestEngine>>;
let redis: Redis;
let queues: Queues;
const started = new Set<ReturnType<typeof startCli>>();

beforeAll(async () => {
  engine = await openTestEngine(pipeline);
  redis = new Redis(inject('redisUrl'));
  queues = openQueues(keys(pipeline), { redis, prefix, log: engine.resources.log });
});
afterEach(async () => {
  for (const { child, exited } of started) {
    child.kill('SIGTERM');
    await exited;
  }
  started.clear();
});
afterAll(async () => {
  await queues.close();
  redis.disconnect();
  await engine.close();
});

function startProcess(...args: string[]) {
  const process = startCli(args, {
    DATABASE_URL: engine.url,
    REDIS_URL: inject('redisUrl'),
    MILLRACE_DATA: engine.directory,
    MILLRACE_REDIS_PREFIX: prefix,
    MILLRACE_LEASE: '2s',
    MILLRACE_SHUTDOWN_GRACE: '5s',
    MILLRACE_SANDBOX_PROCESSES: '1',
    LOG_LEVEL: 'warn',
  });
  started.add(process);
  return process;
}

const sample = (name: string) => readFile(fileURLToPath(new URL(`../../samples/${name}`, import.meta.url)));
/** A few bytes more at the end of each: the same bytes again would not be read again. */
const admit = async (name: string) => {
  const bytes = Buffer.concat([await sample(name), Buffer.from(`\n${newId()}\n`)]);
  return (await engine.admit(bytes, name, { announce: queues.announce })).documentId;
};
const completed = (id: string) =>
  vi.waitFor(async () => expect((await engine.ingestionOf(id)).status).toBe('completed'), patience);
const running = (id: string, stage: string) =>
  vi.waitFor(async () => expect(await engine.taskOf(id)).toMatchObject({ state: 'running', stage }), patience);

describe('worker processes', () => {
  test('each with its own stages carry a document through', { timeout: 240_000 }, async () => {
    startProcess('worker', '--stages', 'claim,extract,finalize');
    startProcess('worker', '--stages', 'transcribe,preprocess');
    const id = await admit('poor-scan.png');
    await completed(id);
    const trail = await engine.trailOf(id);
    expect(trail.slice(0, 4)).toEqual([
      'claim:single',
      'transcribe:illegible',
      'preprocess:cleaned',
      'transcribe:readable',
    ]);
    const workers = new Set((await engine.eventsOf(id)).map(({ data }) => data.worker).filter(Boolean));
    expect(workers.size).toBe(2);
  });

  test('killed by -9 in the middle lose nothing', { timeout: 240_000 }, async () => {
    startProcess('scheduler');
    const first = startProcess('worker');
    const ids = [await admit('pages.tiff'), await admit('invoice.pdf'), await admit('letter.txt')];
    const [long = ''] = ids;
    await running(long, 'transcribe');
    first.child.kill('SIGKILL');
    startProcess('worker');
    await Promise.all(ids.map(completed));
    expect(await engine.trailOf(long)).toEqual([
      'claim:single',
      'transcribe:lost',
      'transcribe:readable',
      expect.stringMatching(/^extract:/),
      'finalize:finalized',
    ]);
    expect(await engine.taskOf(long)).toMatchObject({ attempts: 0, losses: 1, suspect: false });
  });

  test('told to stop hand back what they cannot finish, without an attempt', { timeout: 240_000 }, async () => {
    const worker = startProcess('worker');
    const id = await admit('pages.tiff');
    await running(id, 'transcribe');
    worker.child.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
    expect(await engine.taskOf(id)).toMatchObject({ attempts: 0, losses: 0, leaseOwner: null });
  });

  test('find everything again after Redis was flushed', { timeout: 240_000 }, async () => {
    const ids = await Promise.all([admit('letter.txt'), admit('invoice.pdf')]);
    const mine = await redis.keys(`*${prefix}*`);
    await redis.del(mine);
    startProcess('scheduler');
    startProcess('worker');
    await Promise.all(ids.map(completed));
  });

  test('drop jobs that point at nothing and go on', { timeout: 240_000 }, async () => {
    const claim = queues.byStage.get('claim');
    const garbage = [null, 'text', 42, { taskId: 'x' }, { taskId: '00000000-0000-7000-8000-000000000000', epoch: 0 }];
    for (const data of garbage) await claim?.add('claim', data as never);
    startProcess('worker');
    await completed(await admit('letter.txt'));
    await vi.waitFor(async () => expect(await claim?.getJobCountByTypes('wait', 'active', 'failed')).toBe(0), patience);
  });
});
