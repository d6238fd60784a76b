import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { drain } from '../../../test/kit/drain.ts';
import { openPaying } from '../../../test/kit/paying.ts';
import { reservations } from '../../db/schema/reservations.ts';
import { DAY, HOUR, SECOND } from '../../lib/time.ts';
import { releaseHeld } from './release.ts';

const engine = await openPaying();
const { db, pool, vendor, setBudget, spent, admitPaying, run, statesOf, release, inBatch } = engine;
afterAll(() => engine.close());
beforeEach(() => engine.forget());

describe('what is spent', () => {
  test('is booked as it was in the end, on the document, the day and the batch', async () => {
    const ids = await admitPaying(2);
    await inBatch(ids, 1_000);
    await run();
    expect(await spent()).toEqual([120, 120]);
    expect(
      await Promise.all(ids.map(async (id) => (await engine.ingestionOf(id)).costMicros)),
    ).toEqual([60, 60]);
    expect(await db.select().from(reservations)).toEqual([]);
    const { registry } = engine.resources.metrics;
    expect(await registry.metrics()).toContain(
      'millrace_cost_dollars_total{provider="vendor"} 0.00012',
    );
  });

  test('is booked once although the answer of Postgres is lost', async () => {
    const query = pool.query.bind(pool);
    const lost: string[] = [];
    const spy = vi.spyOn(pool, 'query').mockImplementation(async (...given: unknown[]) => {
      const answer = await Reflect.apply(query, pool, given);
      const [text] = given;
      if (lost.length > 0 || typeof text !== 'string' || !text.includes('cost_micros'))
        return answer;
      lost.push(text);
      throw new Error('Connection terminated unexpectedly');
    });
    onTestFinished(() => spy.mockRestore());
    const [id = ''] = await admitPaying(1);
    await run();
    expect(lost).toHaveLength(1);
    expect(await spent()).toEqual([60]);
    expect((await engine.ingestionOf(id)).costMicros).toBe(60);
    expect(await db.select().from(reservations)).toEqual([]);
  });

  test('is booked as well when what follows fails', async () => {
    vendor.answer = async (charge) => {
      charge(60);
      throw new Error('the second half is missing');
    };
    await admitPaying(1);
    await run();
    expect(await spent()).toEqual([60]);
    expect(await db.select().from(reservations)).toEqual([]);
  });
});

describe('a ceiling', () => {
  test('holds what would pass it, for any time, without an attempt', async () => {
    await setBudget(159);
    const [first = '', second = ''] = await admitPaying(2);
    await pool.query("update tasks set give_up_at = now() + interval '1 second'");
    vendor.answer = async (charge) => charge(60);
    await run();
    await pool.query('update tasks set not_before = now() where held is not null');
    await run();
    const before = Date.now();
    expect(vendor.calls).toBe(1);
    const held = (await engine.taskOf(first)).held ? first : second;
    const task = await engine.taskOf(held);
    expect(task).toMatchObject({
      state: 'ready',
      attempts: 0,
      held: { reason: 'daily-budget', limit: 159, spent: 60, needs: 100 },
      lastError: {
        code: 'HELD',
        message: expect.stringContaining(
          'daily budget of the workspace is $0.000159: $0.00006 spent',
        ),
      },
    });
    const midnight = Math.ceil(before / DAY) * DAY;
    expect(Math.abs(task.notBefore.getTime() - midnight)).toBeLessThan(2 * SECOND);
    expect(task.giveUpAt.getTime()).toBeGreaterThan(task.notBefore.getTime() - 60 * SECOND);
    expect(await engine.trailOf(held)).toEqual(expect.arrayContaining(['claim:held']));
  });

  test('is no reason any more once the task is taken, whatever becomes of it', async () => {
    await setBudget(0);
    const [id = ''] = await admitPaying(1);
    await run();
    await pool.query('update tasks set not_before = now()');
    const { id: taskId, epoch } = await engine.taskOf(id);
    await engine
      .runnerWith()
      .take({ taskId, epoch, stage: 'claim', timeoutMs: HOUR, alone: false });
    expect(await engine.taskOf(id)).toMatchObject({ state: 'running', held: null });
  });

  test('of the deployment holds where the workspace has none', async () => {
    const settings = { ...engine.resources.settings, dailyBudgetMicros: 99 };
    const [id = ''] = await admitPaying(1);
    await drain({ ...engine.runnerWith(), resources: { ...engine.resources, settings } });
    expect(await engine.taskOf(id)).toMatchObject({ held: { limit: 99, spent: 0 } });
    await setBudget(1_000);
    expect(await releaseHeld(pool, { dailyBudgetMicros: 99 })).toBe(1);
  });

  test('is no matter to what is free', async () => {
    await setBudget(0);
    const ids = await admitPaying(2, 'free');
    await run();
    expect(await statesOf(ids)).toEqual(['done', 'done']);
    expect(await spent()).toEqual([]);
  });

  test('of a batch holds its documents and no other', async () => {
    const ids = await admitPaying(3);
    const others = await admitPaying(2, 'other');
    await inBatch(ids, 100);
    await run();
    expect(await statesOf(others)).toEqual(['done', 'done']);
    expect((await statesOf(ids)).toSorted()).toEqual(['done', 'ready', 'ready']);
    const held = await Promise.all(ids.map(async (id) => (await engine.taskOf(id)).held?.reason));
    expect(held.filter(Boolean)).toEqual(['batch-budget', 'batch-budget']);
  });

  test('lets go at once when it is raised, as many as there is money for', async () => {
    await setBudget(0);
    const ids = await admitPaying(5);
    await pool.query("update tasks set give_up_at = now() + interval '1 hour'");
    await run();
    expect(vendor.calls).toBe(0);
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
    expect(await statesOf(ids)).toEqual(Array(5).fill('done'));
    expect(vendor.calls).toBe(5);
  });

  test('is that of the day: the next one begins with nothing spent', async () => {
    await setBudget(100);
    const ids = await admitPaying(2);
    await run();
    expect(vendor.calls).toBe(1);
    await pool.query("update accounts set period = '2001-01-01'");
    await pool.query('update tasks set not_before = now() where held is not null');
    await run();
    expect(await statesOf(ids)).toEqual(['done', 'done']);
  });

  test('what is held for one batch leaves the money of the day to others', async () => {
    await setBudget(150);
    const [poor = '', rich = ''] = [...(await admitPaying(1)), ...(await admitPaying(1))];
    await inBatch([poor], 50);
    await setBudget(0);
    await run();
    await setBudget(150);
    expect(await release()).toBe(1);
    await run();
    expect(await statesOf([poor, rich])).toEqual(['ready', 'done']);
  });
});
