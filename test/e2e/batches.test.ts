import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { findBatch } from '../../src/db/batches.ts';
import { startWorkers } from '../../src/engine/queues/workers.ts';
import { startScheduler } from '../../src/engine/schedule/scheduler.ts';
import { fillWorkspaces } from '../../src/jobs/batch-monitor.ts';
import { schedule } from '../../src/jobs/schedule.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import { openTestApi, type TestApi } from '../kit/api.ts';
import { runCli } from '../kit/cli.ts';
import { makeActiveBatch, makeDocuments } from '../kit/rows.ts';
import { temporaryDirectory } from '../kit/temporary-directory.ts';

const patience = { timeout: 60_000, interval: 50 };
const admission = { first: 'claim', giveUpMs: HOUR };
let api: TestApi;
let redis: Redis;
beforeAll(async () => {
  api = await openTestApi();
  redis = new Redis(inject('redisUrl'), { maxRetriesPerRequest: null });
});
afterAll(async () => {
  redis.disconnect();
  await api.close();
});

const work = () => {
  const runner = api.runnerWith({ announce: api.queues.announce });
  const limitsOf = () => ({ concurrency: 20, rate: undefined });
  return startWorkers(runner, { queues: api.stages, redis, prefix: api.prefix, limitsOf });
};
const tick = () => {
  const { policy, failSubject } = api.runnerWith();
  const graces = {
    batchGraceMs: MINUTE,
    batchStuckMs: HOUR,
    storageGraceMs: MINUTE,
    keepHistoryMs: DAY,
    keepAuditMs: DAY,
  };
  const context = {
    ...api.resources,
    queues: api.queues,
    policy,
    failSubject,
    leaseMs: MINUTE,
    admission,
    ...graces,
  };
  return startScheduler(schedule, context);
};
const emptyRedis = async () => {
  const found = await redis.keys(`*${api.prefix}*`);
  if (found.length > 0) await redis.del(found);
};

test('a batch of a thousand whose Redis is emptied when three remain ends with the last of them, once', async () => {
  const { pool, db } = api.resources.database;
  const batchId = await makeActiveBatch(pool, api.workspaceId);
  await makeDocuments(pool, { workspaceId: api.workspaceId, batchId, count: 1000, name: 'one' });
  let open = false;
  for (const name of ['one-1', 'one-500', 'one-1000'])
    api.behaviours.set(name, async (_, { signal }) => {
      if (open) return;
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    });
  const remaining = async () => (await findBatch(db, batchId))?.open;

  const first = work();
  const scheduler = tick();
  onTestFinished(() => scheduler.stop());
  await fillWorkspaces(db, { ...admission, announce: api.queues.announce });
  await vi.waitFor(async () => expect(await remaining()).toBe(3), patience);
  await first.stop(0);
  await emptyRedis();
  expect(await findBatch(db, batchId)).toMatchObject({ state: 'active', open: 3, completed: 997 });

  open = true;
  const second = work();
  onTestFinished(() => second.stop(10 * SECOND));
  await vi.waitFor(async () => expect(await remaining()).toBe(0), patience);
  expect(await findBatch(db, batchId)).toMatchObject({ state: 'completed', completed: 1000 });
  const { rows } = await pool.query(
    "select id from events where batch_id = $1 and type = 'BATCH_END_FINISHED'",
    [batchId],
  );
  expect(rows).toHaveLength(1);
}, 120_000);

describe('the command line', () => {
  const millrace = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(args, {
      MILLRACE_URL: api.url,
      MILLRACE_API_KEY: api.keys.admin,
    });
    return { code, out: stdout.trim(), stderr };
  };

  test('takes a folder through a batch and reports it', async () => {
    const workers = work();
    onTestFinished(() => workers.stop(10 * SECOND));
    const folder = await temporaryDirectory();
    await mkdir(join(folder, 'deep'));
    for (const name of ['a.txt', 'b.txt', 'deep/c.txt']) await writeFile(join(folder, name), name);
    await writeFile(join(folder, 'copy of a.txt'), 'a.txt');

    const { out: id } = await millrace(
      'batch',
      'create',
      'Spring',
      '--type',
      'FILES',
      '--priority',
      '7',
    );
    const paths = [folder, join(folder, 'missing.txt')];
    const added = await millrace('batch', 'add', id, ...paths);
    expect(added.stderr).toContain('no such file');
    expect(JSON.parse(added.out)).toEqual({ added: 3, duplicate: 1, exception: 1 });
    expect(added.code).toBe(3);
    expect(JSON.parse((await millrace('batch', 'add', id, ...paths)).out)).toEqual({
      repeated: 4,
      exception: 1,
    });
    expect((await millrace('batch', 'start', id)).out).toContain('active');
    expect((await millrace('batch', 'finish', id, '--items', '5')).code).toBe(0);
    const watched = await millrace('batch', 'watch', id, '--json');
    expect(watched.code).toBe(0);
    expect(JSON.parse(watched.out)).toMatchObject({
      state: 'completed',
      priority: 7,
      progress: { completed: 3 },
    });
    expect(JSON.parse((await millrace('batch', 'report', id)).out)).toMatchObject({
      ledger: { seen: 5, documents: 3, duplicate: 1, exception: 1 },
      exceptions: [{ kind: 'duplicate' }, { kind: 'exception', name: 'missing.txt' }],
    });
    expect((await millrace('batch', 'list')).out).toContain('Spring');
    expect((await millrace('batch', 'pause', id)).stderr).toContain('it is completed');
  }, 120_000);

  test('makes workspaces and keys', async () => {
    const workspace = JSON.parse(
      (await millrace('workspace', 'create', 'Case 9', '--max-in-flight', '4', '--json')).out,
    );
    expect(workspace).toMatchObject({ name: 'Case 9', maxInFlight: 4 });
    const made = JSON.parse(
      (await millrace('key', 'create', 'scanner', '--workspace', workspace.id, '--json')).out,
    );
    expect((await api.call('/v1/batches', { key: made.key })).status).toBe(200);
    const first = await runCli(['key', 'create', 'first', '--direct'], {
      DATABASE_URL: api.databaseUrl,
    });
    expect((await api.call('/admin/keys', { key: first.stdout.trim() })).status).toBe(200);
    expect((await millrace('key', 'revoke', made.id)).code).toBe(0);
    expect((await millrace('key', 'list')).out).toMatch(new RegExp(`${made.id}.*revoked`));
    expect((await api.call('/v1/batches', { key: made.key })).status).toBe(401);
  }, 60_000);
});
