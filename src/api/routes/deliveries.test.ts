import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { drain } from '../../../test/kit/drain.ts';
import { SetupError } from '../../errors.ts';
import { sweepDeliveries } from '../../jobs/sweep-deliveries.ts';
import { HOUR } from '../../lib/time.ts';
import {
  type ManagerSimulatorOptions,
  startManagerSimulator,
} from '../../simulators/manager/index.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const made = z.object({ id: z.string() });
const call = async (
  path: string,
  { body, method = body ? 'POST' : 'GET', key = api.keys.admin }: Call = {},
) => {
  const init = body
    ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    : {};
  return api.call(`/v1${path}`, { key, method, ...init });
};
interface Call {
  body?: object;
  method?: string;
  key?: string;
}

async function destination(settings: object = {}, options: ManagerSimulatorOptions = {}) {
  const manager = await startManagerSimulator(options);
  const body = {
    name: manager.url,
    kind: 'http',
    settings: { url: manager.url },
    workspaceId: api.workspaceId,
    ...settings,
  };
  const { id } = made.parse(await (await call('/destinations', { body })).json());
  onTestFinished(async () => {
    await call(`/destinations/${id}`, { method: 'DELETE' });
    await manager.close();
  });
  return { id, manager };
}

async function completed(text: string): Promise<string> {
  const { documentId } = await api.admit(text);
  await drain(api.runnerWith());
  return documentId;
}
const deliveries = z.object({
  deliveries: z.array(z.looseObject({ id: z.string(), status: z.string() })),
});
const listed = async (query: string, key?: string) =>
  deliveries.parse(await (await call(`/deliveries?${query}`, key ? { key } : {})).json())
    .deliveries;

describe('destinations', () => {
  test('keep their secret to themselves', async () => {
    const { id } = await destination({ secret: { token: 'very-secret-token' } });
    const shown = await (await call(`/destinations/${id}`)).text();
    expect(JSON.parse(shown)).toMatchObject({ kind: 'http', hasSecret: true, holdSeconds: 0 });
    expect(shown + (await (await call('/destinations')).text())).not.toContain('very-secret-token');
    const { rows } = await api.resources.database.pool.query(
      'select secret from destinations where id = $1',
      [id],
    );
    expect(rows[0].secret).not.toContain('very-secret-token');
  });

  test.each([
    ['an unknown kind', { kind: 'fax' }],
    ['a private address', { settings: { url: 'https://192.168.1.1/' } }],
    ['the metadata service', { settings: { url: 'https://169.254.169.254/' } }],
    ['settings of another kind', { settings: { bucket: 'x' } }],
    [
      'no secret where one is needed',
      { kind: 'paperless-ngx', settings: { url: 'https://example.com' } },
    ],
  ])('are refused with %s', async (_, wrong) => {
    const body = {
      name: 'wrong',
      kind: 'http',
      settings: { url: 'https://example.com' },
      ...wrong,
    };
    expect((await call('/destinations', { body })).status).toBe(400);
  });

  test('with a secret need a key to keep it with, and say so', async () => {
    const noKey = () => {
      throw new SetupError('There is no key to keep secrets with.', 'Set MILLRACE_SECRET_KEY');
    };
    const bare = await openTestApi({ resources: { seal: { seal: noKey, open: noKey } } });
    onTestFinished(bare.close);
    const body = {
      name: 'x',
      kind: 'http',
      settings: { url: 'http://127.0.0.1:9' },
      secret: { token: 'x' },
    };
    const headers = { 'content-type': 'application/json' };
    const answer = await bare.call('/v1/destinations', {
      key: bare.keys.admin,
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(await answer.json()).toMatchObject({
      status: 503,
      code: 'NOT_SET_UP',
      hint: 'Set MILLRACE_SECRET_KEY',
    });
  });

  test('have names of their own, and change', async () => {
    const { id, manager } = await destination();
    const body = {
      name: manager.url,
      kind: 'http',
      settings: { url: manager.url },
      workspaceId: api.workspaceId,
    };
    expect((await call('/destinations', { body })).status).toBe(409);
    const changed = await call(`/destinations/${id}`, {
      method: 'PATCH',
      body: { enabled: false, holdSeconds: 60 },
    });
    expect(await changed.json()).toMatchObject({
      enabled: false,
      holdSeconds: 60,
      settings: { url: manager.url },
    });
  });

  test('are tried with one real call', async () => {
    const { id } = await destination({ secret: { token: 'right' } }, { token: 'right' });
    expect(await (await call(`/destinations/${id}/test`, { method: 'POST' })).json()).toMatchObject(
      { works: true },
    );
    await call(`/destinations/${id}`, { method: 'PATCH', body: { secret: { token: 'wrong' } } });
    expect(await (await call(`/destinations/${id}/test`, { method: 'POST' })).json()).toMatchObject(
      {
        works: false,
        explanation: expect.stringContaining('credentials (401)'),
      },
    );
  });

  test('keep their secret only for the address it was given for', async () => {
    const { id, manager } = await destination({ secret: { token: 'right' } }, { token: 'right' });
    const move = (body: object) => call(`/destinations/${id}`, { method: 'PATCH', body });
    const elsewhere = { url: 'http://127.0.0.1:9/' };
    expect((await move({ settings: elsewhere })).status).toBe(400);
    expect((await move({ settings: { url: `${manager.url}/path` } })).status).toBe(200);
    expect((await move({ settings: elsewhere, secret: { token: 'new' } })).status).toBe(200);
  });

  test('are for operators, each in their workspace', async () => {
    const { id } = await destination();
    expect((await call(`/destinations/${id}`, { key: api.keys.user })).status).toBe(403);
    expect((await call(`/destinations/${id}`, { key: api.keys.stranger })).status).toBe(404);
    expect(
      (await call(`/destinations/${id}/test`, { method: 'POST', key: api.keys.stranger })).status,
    ).toBe(404);
  });
});

describe('deliveries', () => {
  test('are listed by status, document and destination, in their workspace', async () => {
    const { id: destinationId } = await destination();
    const documentId = await completed('listed');
    expect(await listed(`destinationId=${destinationId}`)).toMatchObject([
      { documentId, status: 'MANAGED', outcome: 'managed' },
    ]);
    expect(
      await listed(`documentId=${documentId}&status=MANAGED,FAILED`, api.keys.user),
    ).toHaveLength(1);
    expect(await listed(`documentId=${documentId}&status=FAILED`)).toEqual([]);
    expect(await listed(`documentId=${documentId}`, api.keys.stranger)).toEqual([]);
  });

  test('are made by hand, now or later, and cancelled', async () => {
    const documentId = await completed('by hand');
    const { id: destinationId } = await destination();
    const body = { documentId, destinationId, notBefore: new Date(Date.now() + HOUR) };
    const answer = await call('/deliveries', { body, key: api.keys.user });
    expect(answer.status).toBe(202);
    const delivery = made.extend({ status: z.string() }).parse(await answer.json());
    expect(delivery.status).toBe('SCHEDULED');
    expect((await call('/deliveries', { body })).status).toBe(409);
    const cancel = () => call(`/deliveries/${delivery.id}/cancel`, { method: 'POST' });
    expect(await (await cancel()).json()).toMatchObject({ status: 'CANCELLED' });
    expect((await cancel()).status).toBe(409);
    expect((await call(`/deliveries/${delivery.id}`, { key: api.keys.stranger })).status).toBe(404);
    const { documentId: _, ...now } = { ...body, notBefore: undefined };
    const again = await call('/deliveries', { body: { ...now, documentId } });
    expect(await again.json()).toMatchObject({ id: delivery.id, status: 'RECEIVED' });
    await sweepDeliveries(api.resources.database.db, { stuckMs: HOUR, giveUpMs: HOUR, limit: 10 });
    await drain(api.runnerWith());
    expect(await (await call(`/deliveries/${delivery.id}`)).json()).toMatchObject({
      status: 'MANAGED',
    });
  });

  test('of a document that was processed again are outdated where its data changed, and sent again on demand only', async () => {
    const { pool } = api.resources.database;
    const { id: destinationId, manager } = await destination();
    const documentId = await completed('processed twice');
    const reprocessed = async (data: object) => {
      await api.call(`/v1/documents/${documentId}/reprocess`, { method: 'POST' });
      await pool.query(
        'update ingestions set structured_data = $2 where document_id = $1 and completed_at is null',
        [documentId, data],
      );
      await drain(api.runnerWith());
    };
    const one = async (query = '') => (await listed(`destinationId=${destinationId}${query}`))[0];
    await reprocessed({ total: 1 });
    expect(await one('&outdated=true')).toMatchObject({
      status: 'MANAGED',
      outdated: true,
      resends: 0,
    });
    expect(JSON.stringify(manager.store.documents)).not.toContain('total');

    const resend = async () => call(`/deliveries/${(await one())?.id}/resend`, { method: 'POST' });
    manager.faults.submit.push({ kind: 'lost-answer' });
    expect((await resend()).status).toBe(202);
    expect((await resend()).status).toBe(409);
    await drain(api.runnerWith());
    await pool.query("update tasks set not_before = now() where state = 'ready'");
    await drain(api.runnerWith());
    expect(await one('&outdated=false')).toMatchObject({
      status: 'MANAGED',
      outdated: false,
      resends: 1,
    });
    expect(manager.store.documents).toMatchObject([
      { metadata: expect.stringContaining('"total":1') },
    ]);
    expect([...manager.store.handedOver.values()]).toEqual([3]);
    await reprocessed({ total: 1 });
    expect(await one()).toMatchObject({ outdated: false });
  });

  test('that failed are tried again, and their dead letter is closed', async () => {
    const { id: destinationId, manager } = await destination();
    manager.faults.submit.push({ kind: 'status', status: 413 });
    await completed('too large at first');
    const [delivery] = await listed(`destinationId=${destinationId}`);
    expect(delivery).toMatchObject({ status: 'REJECTED', reasonCode: 'DELIVERY_REJECTED' });
    const retry = () => call(`/deliveries/${delivery?.id}/retry`, { method: 'POST' });
    expect((await retry()).status).toBe(202);
    const letters = await (await api.call('/admin/dlq', { key: api.keys.admin })).json();
    expect(letters).toMatchObject({ deadLetters: [] });
    await drain(api.runnerWith());
    expect(await listed(`destinationId=${destinationId}`)).toMatchObject([{ status: 'MANAGED' }]);
    expect((await retry()).status).toBe(409);
  });
});
