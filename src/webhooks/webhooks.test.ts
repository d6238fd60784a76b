import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../test/kit/api.ts';
import { drain } from '../../test/kit/drain.ts';
import { type Received, startReceiver } from '../../test/kit/receiver.ts';
import { signedBy } from '../../test/kit/signed-by.ts';
import { appendEvent } from '../db/events.ts';
import { makeMessages } from '../db/webhook-messages.ts';
import { sendDue } from '../jobs/send-webhooks.ts';
import { DAY } from '../lib/time.ts';
import { waitAfter } from './judge.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const created = z.object({ id: z.string(), secret: z.string() });
const call = async (
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
  key = api.keys.admin,
) => {
  const headers = { 'content-type': 'application/json' };
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  return api.call(`/v1/webhooks${path}`, { key, method, headers, ...init });
};

async function endpoint(settings: object = {}) {
  const receiver = await startReceiver();
  const webhook = created.parse(
    await (await call('', { url: receiver.url, types: ['DOCUMENT_ADDED'], ...settings })).json(),
  );
  onTestFinished(async () => {
    await call(`/${webhook.id}`, undefined, 'DELETE');
    await receiver.close();
  });
  return { ...receiver, ...webhook };
}

/** Creates messages for all events so far, regardless of other tests on the server. */
async function spread(expected: number) {
  const { pool, db } = api.resources.database;
  await vi.waitFor(async () => {
    await makeMessages(db, 1000);
    const { rows } = await pool.query(
      "select count(*)::int as n from webhook_messages where state = 'waiting'",
    );
    expect(rows[0].n).toBe(expected);
  }, 20_000);
}
const elapse = () =>
  api.resources.database.pool.query(
    'update webhook_messages set not_before = now(); update webhooks set paused_until = null',
  );
const idOf = ({ headers }: Received) => headers['webhook-id'];

describe('an endpoint', () => {
  test('hears of what it asked for, signed, once', async () => {
    const { received, secret } = await endpoint();
    const { documentId } = await api.admit('text', 'told.txt');
    await drain(api.runnerWith());
    await spread(1);
    expect(await sendDue(api.resources)).toEqual({ delivered: 1, failed: 0 });
    expect(await sendDue(api.resources)).toEqual({ delivered: 0, failed: 0 });
    const [message = { headers: {}, body: '' }] = received;
    expect(JSON.parse(message.body)).toMatchObject({
      type: 'DOCUMENT_ADDED',
      data: { documentId, workspaceId: api.workspaceId },
    });
    expect(signedBy(secret, message)).toBe(true);
  });

  test('that is down is asked again with the same id and body, and loses nothing', async () => {
    const { received, behaviour, id } = await endpoint();
    behaviour.answer = () => ({ status: 500 });
    await api.admit('text', 'down.txt');
    await spread(1);
    const pass = async () => {
      await elapse();
      return sendDue(api.resources);
    };
    while ((await pass()).failed === 1);
    expect(received).toHaveLength(11);
    expect(new Set(received.map(idOf)).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    const dead = z.object({
      messages: z.array(z.object({ id: z.string(), lastError: z.string() })),
    });
    const { messages } = dead.parse(await (await call(`/${id}/messages`)).json());
    expect(messages).toMatchObject([{ lastError: 'The endpoint answered 500' }]);
    behaviour.answer = () => ({ status: 200 });
    expect((await call(`/${id}/replay`, { messageId: messages[0]?.id })).status).toBe(202);
    await elapse();
    expect(await sendDue(api.resources)).toEqual({ delivered: 1, failed: 0 });
    expect(new Set(received.map(idOf)).size).toBe(1);
  });

  test('whose secret cannot be opened keeps no other from being served to the end', async () => {
    const [spoiled, other] = [await endpoint(), await endpoint()];
    const { database, seal } = api.resources;
    await database.pool.query("update webhooks set secret = 'spoiled' where id = $1", [spoiled.id]);
    await api.admit('text', 'sealed.txt');
    await spread(2);
    const [refused, answered] = [new EventEmitter(), new EventEmitter()];
    other.behaviour.answer = async () => {
      await once(answered, 'now');
      return { status: 204 };
    };
    const open = (text: string) => {
      if (text === 'spoiled') refused.emit('now');
      return seal.open(text);
    };
    const refusal = once(refused, 'now');
    const pass = sendDue({ ...api.resources, seal: { ...seal, open } }).catch(
      () => 'failed' as const,
    );
    await vi.waitFor(() => expect(other.received).toHaveLength(1), 20_000);
    await refusal;
    expect(await Promise.race([pass, setImmediate('goes on')])).toBe('goes on');
    answered.emit('now');
    expect(await pass).toBe('failed');
    expect(await (await call(`/${other.id}/messages?state=delivered`)).json()).toMatchObject({
      messages: [{}],
    });
  });

  test('that asks for a rest gets it, and no attempt is spent', async () => {
    const { behaviour, id } = await endpoint();
    behaviour.answer = () => ({ status: 429, headers: { 'retry-after': '120' } });
    await api.admit('text', 'busy.txt');
    await spread(1);
    await sendDue(api.resources);
    expect(await (await call(`/${id}/messages?state=waiting`)).json()).toMatchObject({
      messages: [{ attempts: 0 }],
    });
    const { pool } = api.resources.database;
    const { rows } = await pool.query(
      "select paused_until > now() + interval '100 s' as resting from webhooks where id = $1",
      [id],
    );
    expect(rows).toEqual([{ resting: true }]);
  });

  test('that is gone is disabled, and says so', async () => {
    const { behaviour, id } = await endpoint();
    behaviour.answer = () => ({ status: 410 });
    await api.admit('text', 'gone.txt');
    await spread(1);
    await sendDue(api.resources);
    expect(await (await call(`/${id}`)).json()).toMatchObject({
      state: 'disabled',
      disabledReason: 'The endpoint answered 410',
    });
    await elapse();
    expect(await sendDue(api.resources)).toEqual({ delivered: 0, failed: 0 });
    expect(await (await call(`/${id}/enable`, {})).json()).toMatchObject({
      state: 'active',
      disabledReason: null,
    });
  });

  test('redirected elsewhere was not reached', async () => {
    const { received, behaviour } = await endpoint();
    behaviour.answer = () => ({ status: 302, headers: { location: 'http://169.254.169.254/' } });
    await api.admit('text', 'redirected.txt');
    await spread(1);
    expect(await sendDue(api.resources)).toEqual({ delivered: 0, failed: 1 });
    expect(received).toHaveLength(1);
  });

  test('with two secrets gets two signatures, until the old one is over', async () => {
    const { received, secret, id } = await endpoint();
    const { secret: fresh } = created.parse(await (await call(`/${id}/rotate`, {})).json());
    const signers = async () => {
      await api.admit('text', 'rotated.txt');
      await spread(1);
      await sendDue(api.resources);
      const message = received.at(-1) ?? { headers: {}, body: '' };
      return [secret, fresh].map((each) => signedBy(each, message));
    };
    expect(await signers()).toEqual([true, true]);
    await api.resources.database.pool.query(
      "update webhooks set previous_until = now() - interval '1 s'",
    );
    expect(await signers()).toEqual([false, true]);
  });

  test('that asks for order hears of a document in order, whatever fails', async () => {
    const { received, behaviour } = await endpoint({ ordered: true, types: ['NOTIFICATION'] });
    const { db } = api.resources.database;
    const tell = (message: string, documentId: string) =>
      appendEvent(db, 'NOTIFICATION', null, { message, documentId, workspaceId: api.workspaceId });
    const [one, other] = [
      '00000000-0000-7000-8000-000000000001',
      '00000000-0000-7000-8000-000000000002',
    ];
    for (const message of ['a1', 'a2', 'a3']) await tell(message, one);
    await tell('b1', other);
    await spread(4);
    const messageOf = ({ body }: Received): string =>
      z.object({ data: z.object({ message: z.string() }) }).parse(JSON.parse(body)).data.message;
    behaviour.answer = (each) => ({ status: messageOf(each) === 'a1' ? 500 : 204 });
    await sendDue(api.resources);
    expect(received.map(messageOf).sort()).toEqual(['a1', 'b1']);
    behaviour.answer = () => ({ status: 204 });
    await elapse();
    expect(await sendDue(api.resources)).toEqual({ delivered: 3, failed: 0 });
    expect(received.slice(2).map(messageOf)).toEqual(['a1', 'a2', 'a3']);
  });

  test('gets a span of time again, what had arrived included', async () => {
    const { received, id } = await endpoint();
    const from = new Date(Date.now() - 1000);
    await api.admit('text', 'again.txt');
    await spread(1);
    await sendDue(api.resources);
    await call(`/${id}/replay`, { from });
    expect(received).toHaveLength(1);
    await sendDue(api.resources);
    expect(received.length).toBeGreaterThan(1);
    expect(received.map(idOf)).toContain(received.at(0)?.headers['webhook-id']);
  });
});

describe('the routes', () => {
  test('never tell a secret again, and keep it sealed', async () => {
    const { id, secret } = await endpoint();
    const shown = await (await call(`/${id}`)).text();
    expect(shown).not.toContain('secret');
    const { rows } = await api.resources.database.pool.query(
      'select secret from webhooks where id = $1',
      [id],
    );
    expect(rows[0].secret).not.toContain(secret.slice('whsec_'.length));
  });

  test.each([
    'http://10.0.0.1/',
    'https://169.254.169.254/',
    'ftp://example.com/',
    'https://[::1]/',
  ])('refuse %s', async (url) => {
    expect((await call('', { url })).status).toBe(400);
  });

  test('are for operators, each in their workspace', async () => {
    const { id } = await endpoint({ workspaceId: api.workspaceId });
    expect((await call(`/${id}`, undefined, 'GET', api.keys.user)).status).toBe(403);
    expect((await call(`/${id}`, undefined, 'GET', api.keys.stranger)).status).toBe(404);
    expect((await call(`/${id}/rotate`, {}, 'POST', api.keys.stranger)).status).toBe(404);
  });

  test('make one real call to try an endpoint', async () => {
    const { id, received, behaviour } = await endpoint();
    expect(await (await call(`/${id}/test`, {})).json()).toMatchObject({ kind: 'delivered' });
    behaviour.answer = () => ({ status: 401 });
    expect(await (await call(`/${id}/test`, {})).json()).toMatchObject({
      kind: 'failed',
      reason: 'The endpoint answered 401',
    });
    expect(received).toHaveLength(2);
  });
});

test('the waits of a message last more than three days', () => {
  const waits = Array.from({ length: 10 }, (_, i) => waitAfter(i + 1) ?? 0);
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(3 * DAY);
  expect(waitAfter(11)).toBeUndefined();
});
