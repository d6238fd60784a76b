import pg from 'pg';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startProxy } from '../../../test/chaos/proxy.ts';
import { openTestEngine } from '../../../test/kit/engine.ts';
import { inTransaction } from '../../db/index.ts';
import { MINUTE } from '../../lib/time.ts';
import { createMetrics } from '../../observability/metrics/index.ts';
import { done } from '../pipeline/outcome.ts';
import { definePipeline, end, step } from '../pipeline/pipeline.ts';
import { defineStage } from '../pipeline/stage.ts';
import { LeaseKeeper } from './lease.ts';
import type { Runner } from './runner.ts';
import type { Task } from './task.ts';

const pipeline = definePipeline({
  claim: step(defineStage({ run: async () => done('on') }), { on: end }),
});

const leaseMs = 3000;

/** A leased task whose lease is renewed through a proxy. */
async function hold() {
  const engine = await openTestEngine(pipeline);
  const proxy = await startProxy(engine.url);
  const pool = new pg.Pool({ connectionString: proxy.url, max: 1 });
  pool.on('error', () => undefined);
  const leases = new LeaseKeeper({
    pool,
    leaseMs,
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
  });
  onTestFinished(async () => {
    leases.stop();
    await proxy.close();
    await pool.end();
    await engine.close();
  });
  const another = async () =>
    leases.hold(await taken(engine, engine.runnerWith({ leaseMs: MINUTE })));
  return { leases, proxy, lease: await another(), another, database: engine.resources.database };
}

type Engine = Awaited<ReturnType<typeof openTestEngine>>;

async function taken(engine: Engine, { take }: Runner): Promise<Task> {
  const { id, epoch } = await engine.taskOf((await engine.admit()).documentId);
  const task = await take({ taskId: id, epoch, stage: 'claim', timeoutMs: MINUTE, alone: false });
  if (!task) throw new Error('The task was not taken');
  return task;
}

test('a renewal that is never answered stops the work before the lease lapses', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { proxy, lease } = await hold();
  proxy.swallow(true);
  vi.advanceTimersByTime(leaseMs * 0.75);
  expect(lease.ended).toBe(false);
  vi.advanceTimersByTime(leaseMs * 0.2);
  expect(lease.signal.reason).toMatchObject({
    message: expect.stringContaining('could not be renewed in time'),
  });
});

test('a connection that is dead without saying so is given up, and the lease renewed over another', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { leases, proxy, lease } = await hold();
  await leases.renew();
  proxy.freeze();
  vi.advanceTimersByTime(leaseMs * 0.5);
  await leases.renew();
  await leases.renew();
  vi.advanceTimersByTime(leaseMs * 0.5);
  expect(lease.ended).toBe(false);
});

test('a line that takes a third of the lease there and back is fast enough', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { leases, proxy, lease } = await hold();
  await leases.renew();
  const before = lease.renewedAt;
  proxy.slow(() => leaseMs / 6);
  await leases.renew();
  expect(lease.renewedAt).toBeGreaterThan(before);
  expect(lease.ended).toBe(false);
});

test('what waits for its turn to be settled keeps its lease', async () => {
  const { leases, lease, database } = await hold();
  lease.settling = true;
  const { id } = lease.task;
  await database.pool.query(
    "update tasks set lease_until = now() + interval '1 second' where id = $1",
    [id],
  );
  await leases.renew();
  const { rows } = await database.pool.query<{ renewed: boolean }>(
    "select lease_until > now() + interval '2 seconds' as renewed from tasks where id = $1",
    [id],
  );
  expect(rows).toEqual([{ renewed: true }]);
});

test('what was settled before its renewal came is not taken for lost', async () => {
  const { leases, lease, database } = await hold();
  lease.settling = true;
  await database.pool.query('update tasks set epoch = epoch + 1 where id = $1', [lease.task.id]);
  await leases.renew();
  expect(lease.ended).toBe(false);
  lease.settling = false;
  await leases.renew();
  expect(lease.ended).toBe(true);
});

test('what somebody has locked holds up no other, and is not taken for lost', async () => {
  const { leases, lease, another, database } = await hold();
  const other = await another();
  const before = [lease.renewedAt, other.renewedAt];
  await inTransaction(database.pool, async (client) => {
    await client.query('select from tasks where id = $1 for update', [lease.task.id]);
    await leases.renew();
  });
  expect([lease.renewedAt === before[0], other.renewedAt === before[1]]).toEqual([true, false]);
  expect(lease.ended).toBe(false);
});

test('a lease is renewed while work has taken all connections', async () => {
  const engine = await openTestEngine(pipeline);
  onTestFinished(() => engine.close());
  const runner = engine.runnerWith({ leaseMs });
  const lease = runner.leases.hold(await taken(engine, runner));
  const { pool } = engine.resources.database;
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const before = lease.renewedAt;
  await runner.leases.renew();
  for (const client of clients) client.release();
  expect(lease.renewedAt).toBeGreaterThan(before);
});

test('a task that comes back while its old lease is still being settled keeps the new one', async () => {
  const { leases, lease } = await hold();
  const again = leases.hold({ ...lease.task, epoch: lease.task.epoch + 2 });
  leases.drop(lease);
  expect(leases.size).toBe(1);
  leases.drop(again);
  expect(leases.size).toBe(0);
});
