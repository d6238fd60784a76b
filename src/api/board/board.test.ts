import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { newKeyText, storeKey } from '../../db/api-keys.ts';
import { startWorkers } from '../../engine/queues/workers.ts';
import { reconcile } from '../../jobs/reconcile-queues.ts';
import { newId } from '../../lib/ids.ts';

/** A writable board. */
let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ context: { boardWritable: true } });
});
afterAll(() => api.close());

const change = (method: string, path: string, { key = api.keys.admin, body = {} } = {}) =>
  api.call(`/admin/queues/api/queues/claim/${path}`, {
    method,
    key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('who may change queues', () => {
  test('is an administrator of all workspaces', async () => {
    const bound = newKeyText();
    const key = { name: 'bound', role: 'admin', workspaceId: api.workspaceId } as const;
    await storeKey(api.resources.database.db, bound, key);
    expect((await change('PUT', 'pause', { key: api.keys.operator })).status).toBe(403);
    expect((await change('PUT', 'pause', { key: bound })).status).toBe(403);
    expect((await change('PUT', 'pause')).status).toBe(200);
    expect(await api.queues.byStage.get('claim')?.isPaused()).toBe(true);
    expect((await change('PUT', 'resume')).status).toBe(200);
  });

  test('needs the token that the board finds in its cookie', async () => {
    const login = await api.call('/login', {
      method: 'POST',
      body: new URLSearchParams({ key: api.keys.admin }),
    });
    const [session = ''] = login.headers.getSetCookie()[0]?.split(';') ?? [];
    const as = (headers: Record<string, string>, method = 'PUT') =>
      fetch(`${api.url}/admin/queues/api/queues/claim/resume`, {
        method,
        headers: { cookie: session, ...headers },
      });
    const page = await fetch(`${api.url}/admin/queues`, { headers: { cookie: session } });
    const told = page.headers.getSetCookie().find((each) => each.startsWith('XSRF-TOKEN=')) ?? '';
    expect(told).toMatch(/SameSite=Strict/);
    expect(told).not.toMatch(/HttpOnly/);
    const token = /XSRF-TOKEN=([^;]+)/.exec(told)?.[1] ?? '';
    expect((await as({})).status).toBe(403);
    expect((await as({ 'x-xsrf-token': 'x'.repeat(token.length) })).status).toBe(403);
    expect((await as({ 'x-xsrf-token': token, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await as({ 'x-xsrf-token': token })).status).toBe(200);
  });
});

test('whatever is done there, every document is processed once', async () => {
  const { pool } = api.resources.database;
  const { announce } = api.queues;
  const runs = new Map<string, number>();
  const names = ['kept.txt', 'emptied.txt', 'redirected.txt'];
  for (const name of names)
    api.behaviours.set(name, async () => void runs.set(name, (runs.get(name) ?? 0) + 1));
  const ids = [];
  for (const name of names) ids.push((await api.admit('text', name, { announce })).documentId);
  const jobOf = async (documentId: string) => `${(await api.taskOf(documentId)).id}-0`;

  const [first = '', , third = ''] = ids;
  const stolen = { taskId: (await api.taskOf(first)).id, epoch: 0 };
  const forged = { taskId: newId(), epoch: 3 };
  const changes = [
    await change('PATCH', `${await jobOf(third)}/update-data`, { body: { jobData: stolen } }),
    await change('POST', 'add', { body: { name: 'claim', data: forged, options: {} } }),
    await change('POST', 'add', { body: { name: 'claim', data: { nonsense: true }, options: {} } }),
    await change('PUT', 'pause'),
    await change('PUT', 'empty'),
    await change('POST', 'add', { body: { name: 'claim', data: stolen, options: {} } }),
    await change('POST', 'add', { body: { name: 'claim', data: stolen, options: {} } }),
    await change('PUT', 'obliterate'),
    await change('POST', 'add', { body: { name: 'claim', data: stolen, options: {} } }),
    await change('PUT', 'resume'),
  ];
  expect(changes.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
  const { rows } = await pool.query('select distinct state, epoch, attempts from tasks');
  expect(rows).toEqual([{ state: 'ready', epoch: 0, attempts: 0 }]);

  await reconcile(pool, api.queues, { olderThanMs: 0, limit: 100 });
  const redis = new Redis(inject('redisUrl'), { maxRetriesPerRequest: null });
  const workers = startWorkers(api.runnerWith({ announce }), {
    queues: api.stages,
    redis,
    prefix: api.prefix,
    limitsOf: () => ({ concurrency: 4, rate: undefined }),
  });
  const ended = () => pool.query("select 1 from ingestions where status = 'completed'");
  await vi.waitFor(async () => expect((await ended()).rowCount).toBe(3), {
    timeout: 30_000,
    interval: 50,
  });
  await workers.stop(5_000);
  redis.disconnect();
  expect([...runs.values()]).toEqual([1, 1, 1]);
});
