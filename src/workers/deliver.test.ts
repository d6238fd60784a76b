import { once } from 'node:events';
import { createServer } from 'node:https';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../../test/kit/certificate.ts';
import { openDelivering } from '../../test/kit/delivering.ts';
import { drain } from '../../test/kit/drain.ts';
import { noChild } from '../../test/kit/no-child.ts';
import { startS3Server } from '../../test/kit/s3-server.ts';
import { markSubmitting } from '../db/deliveries.ts';
import { cancelDelivery } from '../deliveries/cancel.ts';
import { cancelIngestion } from '../engine/task/cancel.ts';
import { runTask } from '../engine/task/executor.ts';
import { HOUR, MINUTE } from '../lib/time.ts';
import { remove } from '../lifecycle/remove.ts';
import { replay } from '../lifecycle/replay.ts';
import {
  type ManagerFault,
  type ManagerSimulatorOptions,
  startManagerSimulator,
} from '../simulators/manager/index.ts';

let engine: Awaited<ReturnType<typeof openDelivering>>;
beforeAll(async () => {
  engine = await openDelivering();
});
afterEach(() => engine.forget());
afterAll(() => engine.close());

async function manager(options: ManagerSimulatorOptions = {}) {
  const simulator = await startManagerSimulator(options);
  onTestFinished(() => simulator.close());
  return simulator;
}

const admission = { first: 'claim', giveUpMs: HOUR };

let made = 0;
/** A document that no manager has seen before. */
async function completed(name = 'letter.txt'): Promise<string> {
  made += 1;
  const { documentId } = await engine.admit(`document ${made}`, name);
  await drain(engine.runnerWith());
  return documentId;
}
const answering = (body: object): ManagerFault => ({ kind: 'body', body: JSON.stringify(body) });

describe('a delivery', () => {
  test('is made for each destination, and the manager holds the document and its data', async () => {
    const [one, other] = [await manager(), await manager()];
    await engine.destination({ url: one.url });
    await engine.destination({ url: other.url });
    const id = await completed();
    expect(await engine.deliveriesOf(id)).toMatchObject([
      { status: 'MANAGED', externalId: '1' },
      { status: 'MANAGED', externalId: '1' },
    ]);
    expect(one.store.documents).toMatchObject([
      { name: 'letter.txt', metadata: expect.stringContaining(id) },
    ]);
    expect(other.store.documents).toHaveLength(1);
  });

  test('asks until the manager has made up its mind', async () => {
    const { url, store } = await manager({ polls: 2 });
    await engine.destination({ url });
    const id = await completed();
    expect(await engine.deliveryOf(id)).toMatchObject({
      status: 'SUBMITTED',
      reference: expect.any(String),
    });
    await engine.run(1);
    expect(await engine.deliveryOf(id)).toMatchObject({ status: 'SUBMITTED' });
    await engine.run(1);
    expect(await engine.deliveryOf(id)).toMatchObject({ status: 'MANAGED', reasonCode: null });
    expect([...store.handedOver.values()]).toEqual([1]);
    expect(
      (await engine.eventsOf(id)).flatMap(({ type, data }) =>
        type === 'DELIVERY_CHANGED' ? [data.status] : [],
      ),
    ).toEqual(['QUEUED', 'SUBMITTED', 'MANAGED']);
  });

  test('of a document the manager knows already is a success, and nothing is submitted', async () => {
    const { url, store } = await manager();
    store.take('from elsewhere', Buffer.from(`document ${made + 1}`), null);
    await engine.destination({ url });
    const id = await completed();
    expect(await engine.deliveryOf(id)).toMatchObject({ status: 'MANAGED', submittingAt: null });
    expect([...store.handedOver.values()]).toEqual([1]);
  });

  test('whose answer got lost is asked about before it is submitted again', async () => {
    const { url, store, faults } = await manager();
    faults.submit.push({ kind: 'lost-answer' });
    await engine.destination({ url });
    const id = await completed();
    expect(await engine.deliveryOf(id)).toMatchObject({
      status: 'QUEUED',
      reasonCode: 'DESTINATION_FAILED',
    });
    await engine.run();
    expect(await engine.deliveryOf(id)).toMatchObject({ status: 'MANAGED' });
    expect([...store.handedOver.values()]).toEqual([1]);
  });

  test('is not handed over by a worker whose lease is gone', async () => {
    const { url } = await manager({ polls: 9 });
    await engine.destination({ url });
    const { id, taskId } = await engine.deliveryOf(await completed());
    const { pool, db } = engine.resources.database;
    await pool.query('update tasks set not_before = now() where id = $1', [taskId]);
    const { rows } = await pool.query<{ epoch: number }>('select epoch from tasks where id = $1', [
      taskId,
    ]);
    const request = { taskId: taskId ?? '', stage: 'deliver', timeoutMs: MINUTE, alone: false };
    const task = await engine.runnerWith().take({ ...request, epoch: rows[0]?.epoch ?? 0 });
    const mine = { id: task?.id ?? '', epoch: task?.epoch ?? 0 };
    expect(await markSubmitting(db, id, mine)).toBe(true);
    expect(await markSubmitting(db, id, { ...mine, epoch: mine.epoch - 1 })).toBe(false);
    await pool.query('update tasks set lease_until = now() where id = $1', [taskId]);
    expect(await markSubmitting(db, id, mine)).toBe(false);
  });

  test('stops short of the call when its lease has lapsed on the way there', async () => {
    const { url, store, faults } = await manager();
    faults.submit.push({ kind: 'status', status: 503 });
    await engine.destination({ url });
    const { taskId } = await engine.deliveryOf(await completed());
    const { pool } = engine.resources.database;
    await pool.query('update tasks set not_before = now() where id = $1', [taskId]);
    const { rows } = await pool.query<{ epoch: number }>('select epoch from tasks where id = $1', [
      taskId,
    ]);
    const runner = engine.runnerWith();
    const take: typeof runner.take = async (request) => {
      const task = await runner.take(request);
      await pool.query('update tasks set lease_until = now() where id = $1', [taskId]);
      return task;
    };
    const hint = { taskId: taskId ?? '', epoch: rows[0]?.epoch ?? 0 };
    expect(await runTask({ ...runner, take }, 'deliver', hint, { inChild: noChild })).toBe('lost');
    expect([...store.handedOver.values()]).toEqual([]);
  });

  test('waits as long as a busy manager says, without an attempt', async () => {
    const { url, faults } = await manager();
    const retryAt = new Date(Date.now() + 5 * HOUR).toISOString();
    faults.submit.push(
      answering({ status: 'try_again_later', retryAt, reason: 'closed for lunch' }),
    );
    await engine.destination({ url });
    const id = await completed();
    const delivery = await engine.deliveryOf(id);
    expect(delivery).toMatchObject({ status: 'TRY_AGAIN_LATER', reason: 'closed for lunch' });
    expect(Math.abs(delivery.notBefore.getTime() - Date.parse(retryAt))).toBeLessThan(MINUTE);
    const { pool } = engine.resources.database;
    const { rows } = await pool.query('select attempts, postponed from tasks where id = $1', [
      delivery.taskId,
    ]);
    expect(rows).toEqual([{ attempts: 0, postponed: 1 }]);
    await engine.run();
    expect(await engine.deliveryOf(id)).toMatchObject({ status: 'MANAGED' });
  });

  test('that the manager has lost is submitted again', async () => {
    const { url, store, faults } = await manager({ polls: 1 });
    faults.query.push(answering({ status: 'not_managed' }));
    await engine.destination({ url });
    const id = await completed();
    store.documents.length = 0;
    await engine.run();
    expect(await engine.deliveryOf(id)).toMatchObject({ status: 'NOT_MANAGED', reference: null });
    await engine.run(2);
    expect(await engine.deliveryOf(id)).toMatchObject({ status: 'MANAGED' });
    expect(store.documents).toHaveLength(1);
  });

  test('that is refused is dead with the reason; the document stays completed, and it can be replayed', async () => {
    const { url, faults } = await manager();
    faults.submit.push(answering({ status: 'rejected', reason: 'no\u0007 invoices   today' }));
    await engine.destination({ url });
    const id = await completed();
    expect(await engine.deliveryOf(id)).toMatchObject({
      status: 'REJECTED',
      reason: 'no invoices today',
    });
    expect(await engine.ingestionOf(id)).toMatchObject({ status: 'completed', problems: [] });
    const [letter] = await engine.deadLettersOf(id);
    expect(letter).toMatchObject({ stage: 'deliver', code: 'DELIVERY_REJECTED', state: 'open' });
    const intake = { ...admission, deliveryGiveUpMs: HOUR };
    const { db } = engine.resources.database;
    const again = await replay(db, { id: String(letter?.id), workspaceId: undefined }, intake);
    expect(again).toMatchObject({ hints: [{ stage: 'deliver' }], letter: { state: 'replayed' } });
    await engine.run();
    expect(await engine.deliveryOf(id)).toMatchObject({ status: 'MANAGED' });
  });

  test('that waited too long for its manager has failed', async () => {
    const { url, faults } = await manager();
    faults.lookUp.push({
      kind: 'status',
      status: 503,
      headers: { 'retry-after': String(30 * 86_400) },
    });
    await engine.destination({ url });
    const id = await completed();
    expect(await engine.deliveryOf(id)).toMatchObject({
      status: 'FAILED',
      reasonCode: 'GAVE_UP_WAITING',
    });
  });

  test('goes on when somebody cancels the document too late, and ends when it is removed', async () => {
    const { url } = await manager({ polls: 100 });
    await engine.destination({ url });
    const id = await completed();
    const { database } = engine.resources;
    const { ingestionId } = await engine.documentOf(id);
    expect(
      await database.db.transaction((tx) => cancelIngestion(tx, ingestionId, admission)),
    ).toBeUndefined();
    expect(await engine.deliveryOf(id)).toMatchObject({ status: 'SUBMITTED' });
    await remove(
      engine.resources,
      { ...admission, maxBytes: 1, announce: async () => undefined },
      id,
    );
    expect(await engine.deliveryOf(id)).toMatchObject({ status: 'CANCELLED' });
  });

  test('can be cancelled until it is handed over', async () => {
    const { url, faults } = await manager({ polls: 1 });
    faults.lookUp.push({ kind: 'status', status: 429 });
    await engine.destination({ url });
    const { db } = engine.resources.database;
    const waiting = await completed();
    expect(await cancelDelivery(db, (await engine.deliveryOf(waiting)).id)).toBe(true);
    expect(await engine.deliveryOf(waiting)).toMatchObject({ status: 'CANCELLED' });
    expect(await cancelDelivery(db, (await engine.deliveryOf(waiting)).id)).toBe(false);
    const submitted = await completed();
    expect(await cancelDelivery(db, (await engine.deliveryOf(submitted)).id)).toBe(false);
    expect(await engine.deliveryOf(submitted)).toMatchObject({ status: 'SUBMITTED' });
  });

  test('keeps to the number of places of its destination', async () => {
    let inside = 0;
    let most = 0;
    const { url, store } = await manager({
      onTaken: async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise(setImmediate);
        inside -= 1;
      },
    });
    await engine.destination({ url }, { maxConcurrent: 1 });
    for (let i = 0; i < 5; i++) await engine.admit(`crowd ${i}`);
    await engine.run(6);
    expect(store.documents).toHaveLength(5);
    expect(most).toBe(1);
  });
});

describe('a bad answer', () => {
  test.each<[string, ManagerFault, object]>([
    [
      'garbage',
      { kind: 'body', body: '<html>hello' },
      { status: 'FAILED', reasonCode: 'DESTINATION_FAILED' },
    ],
    [
      'an unknown status',
      answering({ status: 'pondering' }),
      { status: 'FAILED', reasonCode: 'DESTINATION_FAILED' },
    ],
    [
      'an endless body',
      { kind: 'endless' },
      { status: 'FAILED', reason: expect.stringContaining('more than') },
    ],
    [
      'a failure',
      { kind: 'status', status: 500 },
      { status: 'FAILED', reason: expect.stringContaining('failed (500)') },
    ],
    [
      '413',
      { kind: 'status', status: 413 },
      { status: 'REJECTED', reason: expect.stringContaining('413') },
    ],
    [
      '401',
      { kind: 'status', status: 401 },
      { status: 'FAILED', reasonCode: 'DESTINATION_UNUSABLE' },
    ],
    [
      'a redirect to the metadata service',
      { kind: 'status', status: 302, headers: { location: 'http://169.254.169.254/latest/' } },
      { status: 'FAILED', reason: expect.stringContaining('redirect') },
    ],
  ])('(%s) is a state with a reason, and stops no other', async (_, fault, expected) => {
    const [bad, good] = [await manager(), await manager()];
    bad.faults.submit.push(fault, fault, fault);
    const badId = await engine.destination({ url: bad.url });
    await engine.destination({ url: good.url });
    const id = await completed();
    await engine.run(2);
    const all = await engine.deliveriesOf(id);
    expect(all.find(({ destinationId }) => destinationId === badId)).toMatchObject(expected);
    expect(all.find(({ destinationId }) => destinationId !== badId)).toMatchObject({
      status: 'MANAGED',
    });
    expect(await engine.ingestionOf(id)).toMatchObject({ status: 'completed' });
  });

  test('a certificate that nobody vouches for is a reason, and stops no other', async () => {
    const server = createServer(selfSigned('localhost'), (_, response) => void response.end('{}'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const good = await manager();
    const badId = await engine.destination({ url: `https://127.0.0.1:${port}/` });
    await engine.destination({ url: good.url });
    const id = await completed();
    await engine.run(2);
    const all = await engine.deliveriesOf(id);
    expect(all.find(({ destinationId }) => destinationId === badId)).toMatchObject({
      status: 'FAILED',
      reasonCode: 'DESTINATION_FAILED',
      reason: expect.stringMatching(/The certificate of 127\.0\.0\.1:\d+ is not trusted \(\w+\)/),
    });
    expect(all.find(({ destinationId }) => destinationId !== badId)).toMatchObject({
      status: 'MANAGED',
    });
    expect(good.store.documents).toHaveLength(1);
  });

  test('a manager on a private network is not called', async () => {
    await engine.destination({ url: 'https://10.1.2.3/' });
    const id = await completed();
    expect(await engine.deliveryOf(id)).toMatchObject({
      status: 'FAILED',
      reasonCode: 'DESTINATION_UNUSABLE',
    });
  });
});

describe('the kinds', () => {
  test('paperless-ngx: handed over, asked about, and a duplicate is a success', async () => {
    const { url, store } = await manager({ token: 'paper', polls: 2 });
    await engine.destination({ url }, { kind: 'paperless-ngx' }, { token: 'paper' });
    const id = await completed('brief.pdf');
    expect(await engine.deliveryOf(id)).toMatchObject({ status: 'SUBMITTED' });
    await engine.run(2);
    expect(await engine.deliveryOf(id)).toMatchObject({ status: 'MANAGED', externalId: '1' });
    expect(store.documents).toMatchObject([{ name: 'brief.pdf', metadata: 'brief' }]);
  });

  test('paperless-ngx: one that was consumed twice is held once', async () => {
    const { url, store, faults } = await manager({ polls: 1 });
    await engine.destination({ url }, { kind: 'paperless-ngx' }, { token: 'any' });
    // The document is still being consumed when it is looked up again, so only the task shows that
    // it is a duplicate.
    const unseen = answering({ count: 0, results: [] });
    faults.submit.push({ kind: 'lost-answer' });
    faults.lookUp.push(unseen, unseen, unseen, unseen);
    const id = await completed();
    await engine.run(2);
    expect(await engine.deliveryOf(id)).toMatchObject({ status: 'MANAGED', externalId: '1' });
    expect([store.documents.length, ...store.handedOver.values()]).toEqual([1, 2]);
  });

  test('s3: bytes and data under a prefix, each once', async () => {
    const { endpoint, bucket, region, accessKeyId, secretAccessKey, store, stop } =
      await startS3Server();
    onTestFinished(stop);
    const settings = { endpoint, bucket, region, prefix: 'out/' };
    await engine.destination(settings, { kind: 's3' }, { accessKeyId, secretAccessKey });
    const id = await completed();
    expect(await engine.deliveryOf(id)).toMatchObject({ status: 'MANAGED', externalId: id });
    expect([...store.objects.keys()].sort()).toEqual([`out/${id}.json`, `out/${id}.txt`]);
  });
});
