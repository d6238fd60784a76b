import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { drain } from '../../../test/kit/drain.ts';
import { spending } from '../../../test/kit/spending.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const send = (method: string, path: string, body?: unknown, key = api.keys.admin) =>
  api.call(path, {
    method,
    key,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
const made = z.looseObject({ id: z.string(), key: z.string().optional() });

const held = async (): Promise<number> => {
  const text = await (await api.call('/metrics', { key: api.keys.admin })).text();
  return Number(/^millrace_held_documents\{reason="daily-budget"\} (\d+)$/m.exec(text)?.[1]);
};

describe('a workspace', () => {
  test('is created, listed and changed by administrators', async () => {
    const answer = await send('POST', '/admin/workspaces', {
      name: 'Case 7',
      maxInFlight: 5,
      defaultPriority: 20,
    });
    expect(answer.status).toBe(201);
    const { id } = made.parse(await answer.json());
    expect(
      await (await send('PATCH', `/admin/workspaces/${id}`, { maxInFlight: 9 })).json(),
    ).toMatchObject({
      name: 'Case 7',
      maxInFlight: 9,
      defaultPriority: 20,
    });
    expect(await (await send('GET', '/admin/workspaces')).json()).toMatchObject({
      workspaces: expect.arrayContaining([expect.objectContaining({ id })]),
    });
    const batch = await send('POST', '/v1/batches', { name: 'x', workspaceId: id });
    expect(await batch.json()).toMatchObject({ priority: 20, workspaceId: id });
  });

  test('has a budget in dollars, and raising it lets documents go on', async () => {
    const path = `/admin/workspaces/${api.workspaceId}`;
    const change = async (dailyBudget: unknown) => send('PATCH', path, { dailyBudget });
    expect(await (await change(1.234567)).json()).toMatchObject({
      dailyBudget: 1.234567,
      spentToday: 0,
    });
    for (const wrong of [-1, '5', 0.0000001]) expect((await change(wrong)).status).toBe(400);
    await change(0.01);
    const { documentId } = await spending(api, 'invoice.txt', { quote: 20_000, cost: 5_000 });
    expect(await api.taskOf(documentId)).toMatchObject({
      held: { reason: 'daily-budget', limit: 10_000 },
    });
    expect(await held()).toBe(1);
    expect((await change(0.02)).status).toBe(200);
    expect(await held()).toBe(0);
    await drain(api.runnerWith());
    expect(await (await send('GET', path)).json()).toMatchObject({
      dailyBudget: 0.02,
      spentToday: 0.005,
    });
    expect(await (await api.call(`/v1/documents/${documentId}`)).json()).toMatchObject({
      cost: 0.005,
    });
    expect(await (await change(null)).json()).toMatchObject({ dailyBudget: null });
  });

  test('of a name that is taken, or with a window of nothing, is refused', async () => {
    expect((await send('POST', '/admin/workspaces', { name: 'test' })).status).toBe(409);
    expect(
      (await send('PATCH', `/admin/workspaces/${api.workspaceId}`, { name: 'other' })).status,
    ).toBe(409);
    expect((await send('POST', '/admin/workspaces', { name: 'x', maxInFlight: 0 })).status).toBe(
      400,
    );
    expect((await send('POST', '/admin/workspaces', { name: 'x' }, api.keys.operator)).status).toBe(
      403,
    );
  });
});

describe('a key', () => {
  test('opens its own workspace until it is revoked, and only its hash is kept', async () => {
    const answer = await send('POST', '/admin/keys', {
      name: 'scanner',
      workspaceId: api.workspaceId,
    });
    expect(answer.status).toBe(201);
    const { id, key = '' } = made.parse(await answer.json());
    expect((await api.call('/v1/batches', { key })).status).toBe(200);
    const listed = JSON.stringify(await (await send('GET', '/admin/keys')).json());
    expect(listed).toContain(id);
    expect(listed).not.toContain(key.slice(20));
    const { rows } = await api.resources.database.pool.query(
      'select * from api_keys where id = $1',
      [id],
    );
    expect(JSON.stringify(rows)).not.toContain(key.slice(20));
    expect((await send('DELETE', `/admin/keys/${id}`)).status).toBe(204);
    expect((await api.call('/v1/batches', { key })).status).toBe(401);
  });

  test('of a user belongs to a workspace that exists; a bound administrator makes keys for its own only', async () => {
    expect((await send('POST', '/admin/keys', { name: 'x' })).status).toBe(400);
    const workspaceId = '00000000-0000-7000-8000-000000000000';
    expect((await send('POST', '/admin/keys', { name: 'x', workspaceId })).status).toBe(404);
    const bound = await send('POST', '/admin/keys', {
      name: 'lead',
      role: 'admin',
      workspaceId: api.workspaceId,
    });
    const { id, key = '' } = made.parse(await bound.json());
    expect((await send('POST', '/admin/keys', { name: 'x', workspaceId }, key)).status).toBe(404);
    expect(await (await send('POST', '/admin/keys', { name: 'own' }, key)).json()).toMatchObject({
      workspaceId: api.workspaceId,
    });
    expect((await send('POST', '/admin/workspaces', { name: 'mine' }, key)).status).toBe(403);
    expect(
      (await send('DELETE', `/admin/keys/${api.keys.admin.slice(3, 15)}`, undefined, key)).status,
    ).toBe(404);
    expect((await send('DELETE', `/admin/keys/${id}`)).status).toBe(204);
  });
});
