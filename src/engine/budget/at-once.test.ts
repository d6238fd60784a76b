import { afterAll, beforeEach, expect, test } from 'vitest';
import { drain } from '../../../test/kit/drain.ts';
import { openPaying } from '../../../test/kit/paying.ts';
import { openDatabase } from '../../db/index.ts';
import { dropStaleReservations } from './release.ts';
import { reserve } from './reserve.ts';

const engine = await openPaying();
const { workspaceId, pool, vendor, setBudget, spent, admitPaying, run, statesOf, release } = engine;
afterAll(() => engine.close());
beforeEach(() => engine.forget());

test('many workers set aside no more than the ceiling, and those left over go on as money comes back', async () => {
  await setBudget(500);
  const other = openDatabase({ url: engine.url, connections: 10, onError: () => undefined });
  const resources = { ...engine.resources, database: other };
  const ids = await admitPaying(8);
  let most = 0;
  let underWay = 0;
  vendor.answer = async (charge) => {
    underWay += 1;
    most = Math.max(most, underWay);
    const { rows } = await pool.query<{ sum: number }>(
      'select sum(micros)::int as sum from reservations',
    );
    expect(rows[0]?.sum).toBeLessThanOrEqual(500);
    charge(60);
    underWay -= 1;
  };
  await Promise.all([run(), drain({ ...engine.runnerWith(), resources })]);
  await other.close();
  while ((await release()) > 0) await run();
  expect(most).toBeLessThanOrEqual(5);
  // The rest of the budget does not cover the maximum cost of a call.
  expect(vendor.calls).toBe(7);
  expect(await spent()).toEqual([420]);
  expect((await statesOf(ids)).filter((state) => state === 'done')).toHaveLength(7);
});

test('what a call leaves over lets the next one go on', async () => {
  await setBudget(160);
  const [first = ''] = await admitPaying(1);
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    vendor.answer = (charge) => {
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
  const [second = ''] = await admitPaying(1);
  await run();
  expect(await engine.taskOf(second)).toMatchObject({
    held: { spent: 0, reserved: 100, needs: 100 },
    lastError: { message: expect.stringContaining('$0.0001 reserved for calls in progress') },
  });
  vendor.answer = async (charge) => charge(60);
  answer();
  await running;
  await run();
  expect(await statesOf([first, second])).toEqual(['done', 'done']);
});

test('of two that would each fit, but not together, one is held', async () => {
  await setBudget(150);
  const ids = await admitPaying(2);
  await pool.query(
    "update tasks set state = 'running', lease_owner = 'w', lease_until = now() + interval '1 hour' where state = 'ready'",
  );
  const results = await Promise.allSettled(
    ids.map(async (id) => {
      const { id: taskId, epoch } = await engine.taskOf(id);
      const ingestionId = (await engine.ingestionOf(id)).id;
      return reserve(
        pool,
        { task: { id: taskId, epoch }, ingestionId, workspaceId, batchId: null },
        100,
        undefined,
      );
    }),
  );
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('what a worker that died had set aside counts no more', async () => {
  await setBudget(100);
  const [lost = '', next = ''] = await admitPaying(2);
  const { id, epoch } = await engine.taskOf(lost);
  await pool.query(
    "update tasks set state = 'running', lease_owner = 'w', lease_until = now() + interval '1 hour' where id = $1",
    [id],
  );
  const ingestionId = (await engine.ingestionOf(lost)).id;
  await reserve(
    pool,
    { task: { id, epoch }, ingestionId, workspaceId, batchId: null },
    100,
    undefined,
  );
  await run();
  expect(await engine.taskOf(next)).toMatchObject({ state: 'ready', held: { spent: 0 } });
  expect([await dropStaleReservations(pool), await release()]).toEqual([0, 0]);
  // The sweep removes it.
  await pool.query(
    "update tasks set state = 'ready', epoch = epoch + 1, lease_owner = null, lease_until = null, not_before = now() + interval '1 hour' where id = $1",
    [id],
  );
  expect([await dropStaleReservations(pool), await release()]).toEqual([1, 1]);
  await run();
  expect(await statesOf([next])).toEqual(['done']);
});
