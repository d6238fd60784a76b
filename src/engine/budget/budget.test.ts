import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestEngine } from '../../../test/kit/engine.ts';
import { openDatabase } from '../../db/index.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { batches } from '../../db/schema/batches.ts';
import { reservations } from '../../db/schema/reservations.ts';
import { workspaces } from '../../db/schema/workspaces.ts';
import { newId } from '../../lib/ids.ts';
import { DAY, HOUR, SECOND } from '../../lib/time.ts';
import { drain } from '../drain.ts';
import { done } from '../outcome.ts';
import { definePipeline, end, step } from '../pipeline.ts';
import { defineStage } from '../stage.ts';
import { dropStaleReservations, releaseHeld } from './release.ts';
import { reserve } from './reserve.ts';
import { spend } from './spend.ts';

/** A vendor whose calls cost at most 100 and really 60. */
const quote = 100;
let vendor: (charge: (micros: number) => void) => Promise<void>;
let calls: number;
const claim = defineStage({
  async run(document, context) {
    const free = document.name.startsWith('free');
    await spend(document, context, {
      engine: 'vendor/1',
      quote: free ? 0 : quote,
      buy: async (charge) => {
        calls += 1;
        await vendor(charge);
      },
    });
    return done('on');
  },
});
const pipeline = definePipeline({ claim: step(claim, { on: end }) });
const engine = await openTestEngine(pipeline);
const { db, pool } = engine.resources.database;
const { workspaceId } = engine;
afterAll(() => engine.close());

beforeEach(async () => {
  calls = 0;
  vendor = async (charge) => charge(60);
  await pool.query(
    'delete from accounts; delete from reservations; delete from tasks; update workspaces set daily_budget_micros = null',
  );
});

const setBudget = (dailyBudgetMicros: number | null) =>
  db.update(workspaces).set({ dailyBudgetMicros }).where(eq(workspaces.id, workspaceId));
const spent = async () => (await db.select().from(accounts)).map(({ spentMicros }) => spentMicros);
const admit = async (count: number, name = 'paid') =>
  Promise.all(Array.from({ length: count }, async (_, i) => (await engine.admit(newId(), `${name}-${i}`)).documentId));
const run = () => drain(engine.runnerWith());
const states = async (ids: string[]) => Promise.all(ids.map(async (id) => (await engine.taskOf(id)).state));
const release = () => releaseHeld(pool, { workspaceId, dailyBudgetMicros: undefined });

/** Puts documents into a batch with a ceiling, after they were admitted. */
async function inBatch(ids: string[], maxCostMicros: number): Promise<string> {
  const id = newId();
  await db.insert(batches).values({ id, workspaceId, name: 'import', type: 'FILES', maxCostMicros });
  await pool.query('update documents set batch_id = $1 where id = any($2)', [id, ids]);
  await pool.query('update ingestions set batch_id = $1 where document_id = any($2)', [id, ids]);
  return id;
}

describe('what is spent', () => {
  test('is booked as it was in the end, on the document, the day and the batch', async () => {
    const ids = await admit(2);
    await inBatch(ids, 1_000);
    await run();
    expect(await spent()).toEqual([120, 120]);
    expect(await Promise.all(ids.map(async (id) => (await engine.ingestionOf(id)).costMicros))).toEqual([60, 60]);
    expect(await db.select().from(reservations)).toEqual([]);
    const { registry } = engine.resources.metrics;
    expect(await registry.metrics()).toContain('millrace_cost_dollars_total{provider="vendor"} 0.00012');
  });

  test('is booked as well when what follows fails', async () => {
    vendor = async (charge) => {
      charge(60);
      throw new Error('the second half is missing');
    };
    await admit(1);
    await run();
    expect(await spent()).toEqual([60]);
    expect(await db.select().from(reservations)).toEqual([]);
  });
});

describe('a ceiling', () => {
  test('holds what would pass it, for any time, without an attempt', async () => {
    await setBudget(159);
    const [first = '', second = ''] = await admit(2);
    await pool.query("update tasks set give_up_at = now() + interval '1 second'");
    vendor = async (charge) => charge(60);
    await run();
    await pool.query('update tasks set not_before = now() where held is not null');
    await run();
    const before = Date.now();
    expect(calls).toBe(1);
    const held = (await engine.taskOf(first)).held ? first : second;
    const task = await engine.taskOf(held);
    expect(task).toMatchObject({
      state: 'ready',
      attempts: 0,
      held: { reason: 'daily-budget', limit: 159, spent: 60, needs: 100 },
      lastError: { code: 'HELD', message: expect.stringContaining('for today is $0.000159: $0.00006 spent') },
    });
    const midnight = Math.ceil(before / DAY) * DAY;
    expect(Math.abs(task.notBefore.getTime() - midnight)).toBeLessThan(2 * SECOND);
    expect(task.giveUpAt.getTime()).toBeGreaterThan(task.notBefore.getTime() - 60 * SECOND);
    expect(await engine.trailOf(held)).toEqual(expect.arrayContaining(['claim:held']));
  });

  test('is no reason any more once the task is taken, whatever becomes of it', async () => {
    await setBudget(0);
    const [id = ''] = await admit(1);
    await run();
    await pool.query('update tasks set not_before = now()');
    const { id: taskId, epoch } = await engine.taskOf(id);
    await engine.runnerWith().take({ taskId, epoch, stage: 'claim', timeoutMs: HOUR, alone: false });
    expect(await engine.taskOf(id)).toMatchObject({ state: 'running', held: null });
  });

  test('of the deployment holds where the workspace has none', async () => {
    const settings = { ...engine.resources.settings, dailyBudgetMicros: 99 };
    const [id = ''] = await admit(1);
    await drain({ ...engine.runnerWith(), resources: { ...engine.resources, settings } });
    expect(await engine.taskOf(id)).toMatchObject({ held: { limit: 99, spent: 0 } });
    await setBudget(1_000);
    expect(await releaseHeld(pool, { dailyBudgetMicros: 99 })).toBe(1);
  });

  test('is no matter to what is free', async () => {
    await setBudget(0);
    const ids = await admit(2, 'free');
    await run();
    expect(await states(ids)).toEqual(['done', 'done']);
    expect(await spent()).toEqual([]);
  });

  test('of a batch holds its documents and no other', async () => {
    const ids = await admit(3);
    const others = await admit(2, 'other');
    await inBatch(ids, 100);
    await run();
    expect(await states(others)).toEqual(['done', 'done']);
    expect((await states(ids)).toSorted()).toEqual(['done', 'ready', 'ready']);
    const held = await Promise.all(ids.map(async (id) => (await engine.taskOf(id)).held?.reason));
    expect(held.filter(Boolean)).toEqual(['batch-budget', 'batch-budget']);
  });

  test('lets go at once when it is raised, as many as there is money for', async () => {
    await setBudget(0);
    const ids = await admit(5);
    await pool.query("update tasks set give_up_at = now() + interval '1 hour'");
    await run();
    expect(calls).toBe(0);
    await setBudget(250);
    expect(await release()).toBe(2);
    const { rows } = await pool.query(
      'select extract(epoch from give_up_at - now())::int as left from tasks where held is null and not_before <= now()',
    );
    for (const { left } of rows) expect(left).toBeGreaterThan(HOUR / 1000 - 60);
    expect(rows.every(({ left }) => left <= HOUR / 1000)).toBe(true);
    await setBudget(null);
    expect(await release()).toBe(3);
    await run();
    expect(await states(ids)).toEqual(Array(5).fill('done'));
    expect(calls).toBe(5);
  });

  test('is that of the day: the next one begins with nothing spent', async () => {
    await setBudget(100);
    const ids = await admit(2);
    await run();
    expect(calls).toBe(1);
    await pool.query("update accounts set period = '2001-01-01'");
    await pool.query('update tasks set not_before = now() where held is not null');
    await run();
    expect(await states(ids)).toEqual(['done', 'done']);
  });

  test('what is held for one batch leaves the money of the day to others', async () => {
    await setBudget(150);
    const [poor = '', rich = ''] = [...(await admit(1)), ...(await admit(1))];
    await inBatch([poor], 50);
    await setBudget(0);
    await run();
    await setBudget(150);
    expect(await release()).toBe(1);
    await run();
    expect(await states([poor, rich])).toEqual(['ready', 'done']);
  });
});

describe('at once', () => {
  test('many workers set aside no more than the ceiling, and those left over go on as money comes back', async () => {
    await setBudget(500);
    const other = openDatabase({ url: engine.url, connections: 10, onError: () => undefined });
    const resources = { ...engine.resources, database: other };
    const ids = await admit(8);
    let most = 0;
    let underWay = 0;
    vendor = async (charge) => {
      underWay += 1;
      most = Math.max(most, underWay);
      const { rows } = await pool.query<{ sum: number }>('select sum(micros)::int as sum from reservations');
      expect(rows[0]?.sum).toBeLessThanOrEqual(500);
      charge(60);
      underWay -= 1;
    };
    await Promise.all([run(), drain({ ...engine.runnerWith(), resources })]);
    await other.close();
    while ((await release()) > 0) await run();
    expect(most).toBeLessThanOrEqual(5);
    // The last money is not enough for what a call may cost.
    expect(calls).toBe(7);
    expect(await spent()).toEqual([420]);
    expect((await states(ids)).filter((state) => state === 'done')).toHaveLength(7);
  });

  test('what a call leaves over lets the next one go on', async () => {
    await setBudget(160);
    const [first = ''] = await admit(1);
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      vendor = (charge) => {
        resolve();
        return new Promise((answered) => {
          answer = () => {
            charge(60);
            answered();
          };
        });
      };
    });
    const running = run();
    await asked;
    const [second = ''] = await admit(1);
    await run();
    expect(await engine.taskOf(second)).toMatchObject({
      held: { spent: 0, reserved: 100, needs: 100 },
      lastError: { message: expect.stringContaining('$0.0001 set aside for calls under way') },
    });
    vendor = async (charge) => charge(60);
    answer();
    await running;
    await run();
    expect(await states([first, second])).toEqual(['done', 'done']);
  });

  test('of two that would each fit, but not together, one is held', async () => {
    await setBudget(150);
    const ids = await admit(2);
    await pool.query(
      "update tasks set state = 'running', lease_owner = 'w', lease_until = now() + interval '1 hour' where state = 'ready'",
    );
    const results = await Promise.allSettled(
      ids.map(async (id) => {
        const { id: taskId, epoch } = await engine.taskOf(id);
        const ingestionId = (await engine.ingestionOf(id)).id;
        return reserve(pool, { task: { id: taskId, epoch }, ingestionId, workspaceId, batchId: null }, 100, undefined);
      }),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('what a worker that died had set aside counts no more', async () => {
    await setBudget(100);
    const [lost = '', next = ''] = await admit(2);
    const { id, epoch } = await engine.taskOf(lost);
    await pool.query(
      "update tasks set state = 'running', lease_owner = 'w', lease_until = now() + interval '1 hour' where id = $1",
      [id],
    );
    const ingestionId = (await engine.ingestionOf(lost)).id;
    await reserve(pool, { task: { id, epoch }, ingestionId, workspaceId, batchId: null }, 100, undefined);
    await run();
    expect(await engine.taskOf(next)).toMatchObject({ state: 'ready', held: { spent: 0 } });
    expect([await dropStaleReservations(pool), await release()]).toEqual([0, 0]);
    // The sweep takes it away.
    await pool.query(
      "update tasks set state = 'ready', epoch = epoch + 1, lease_owner = null, lease_until = null, not_before = now() + interval '1 hour' where id = $1",
      [id],
    );
    expect([await dropStaleReservations(pool), await release()]).toEqual([1, 1]);
    await run();
    expect(await states([next])).toEqual(['done']);
  });
});
