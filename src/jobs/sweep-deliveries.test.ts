import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDelivering } from '../../test/kit/delivering.ts';
import { drain } from '../../test/kit/drain.ts';
import { queueDelivery } from '../deliveries/queue.ts';
import { HOUR } from '../lib/time.ts';
import { remove } from '../lifecycle/remove.ts';
import { startManagerSimulator } from '../simulators/manager/index.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';

let engine: Awaited<ReturnType<typeof openDelivering>>;
beforeAll(async () => {
  engine = await openDelivering();
});
afterEach(() => engine.forget());
afterAll(() => engine.close());

const sweep = () =>
  sweepDeliveries(engine.resources.database.db, { stuckMs: HOUR, giveUpMs: HOUR, limit: 100 });
const query = (text: string) => engine.resources.database.pool.query(text);

async function managed(settings: { enabled?: boolean; holdMs?: number }) {
  const manager = await startManagerSimulator();
  onTestFinished(() => manager.close());
  await engine.destination({ url: manager.url }, settings);
  const { documentId } = await engine.admit(`for ${manager.url}`);
  await drain(engine.runnerWith());
  return documentId;
}

test('what was received is queued when its destination is switched on', async () => {
  const id = await managed({ enabled: false });
  expect(await engine.deliveryOf(id)).toMatchObject({ status: 'RECEIVED', taskId: null });
  expect((await sweep()).hints).toEqual([]);
  await query('update destinations set enabled = true where deleted_at is null');
  expect((await sweep()).hints).toMatchObject([{ stage: 'deliver' }]);
  expect(await engine.deliveryOf(id)).toMatchObject({ status: 'QUEUED' });
  expect((await sweep()).hints).toEqual([]);
  await drain(engine.runnerWith());
  expect(await engine.deliveryOf(id)).toMatchObject({ status: 'MANAGED' });
});

test('what is scheduled is queued when its time has come', async () => {
  const id = await managed({ holdMs: HOUR });
  expect(await engine.deliveryOf(id)).toMatchObject({ status: 'SCHEDULED', taskId: null });
  expect((await sweep()).hints).toEqual([]);
  await query('update deliveries set not_before = now()');
  expect((await sweep()).hints).toHaveLength(1);
  await drain(engine.runnerWith());
  expect(await engine.deliveryOf(id)).toMatchObject({ status: 'MANAGED' });
});

test('what lost its task gets another after an hour', async () => {
  const id = await managed({ enabled: false });
  await query("update deliveries set state = 'processing' where state = 'received'");
  expect((await sweep()).hints).toEqual([]);
  await query("update deliveries set updated_at = now() - interval '61 minutes'");
  expect((await sweep()).hints).toHaveLength(1);
  expect(await engine.deliveryOf(id)).toMatchObject({ status: 'QUEUED' });
});

test('what has moved on since it was seen is left alone', async () => {
  const id = await managed({ enabled: false });
  const { db } = engine.resources.database;
  const expected = await engine.deliveryOf(id);
  const queue = () =>
    db.transaction((tx) => queueDelivery(tx, { id: expected.id, expected }, HOUR));
  const hints = await Promise.all([queue(), queue(), queue()]);
  expect(hints.filter(Boolean)).toHaveLength(1);
});

test('the delivery of a removed document is cancelled', async () => {
  const id = await managed({ enabled: false });
  await remove(
    engine.resources,
    { first: 'claim', giveUpMs: HOUR, maxBytes: 1, announce: async () => undefined },
    id,
  );
  expect(await sweep()).toMatchObject({ hints: [], cancelled: 1 });
  expect(await engine.deliveryOf(id)).toMatchObject({ status: 'CANCELLED' });
});
