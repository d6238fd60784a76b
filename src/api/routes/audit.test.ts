import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { policy } from '../../../test/kit/policy.ts';
import { purgeAudit } from '../../db/audit.ts';
import { DAY } from '../../lib/time.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const entry = z.looseObject({ action: z.string(), targetId: z.string().nullable() });
const page = z.object({ entries: z.array(entry), nextCursor: z.string().nullable() });
const read = async (query = '', key = api.keys.admin) =>
  page.parse(await (await api.call(`/admin/audit?${query}`, { key })).json());
const change = (path: string, method: string, body?: object) =>
  api.call(path, {
    key: api.keys.admin,
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
const made = z.looseObject({ id: z.string() });

test('records who created and revoked a key, without the key itself', async () => {
  const answer = await change('/admin/keys', 'POST', { name: 'robot', role: 'operator' });
  const { id, key } = made.extend({ key: z.string() }).parse(await answer.json());
  await change(`/admin/keys/${id}`, 'DELETE');
  const { entries } = await read(`targetId=${id}`);
  expect(entries).toMatchObject([
    { action: 'DELETE /admin/keys/:keyId', status: 204, role: 'admin', targetKind: 'keys' },
    { action: 'POST /admin/keys/', status: 201, details: { name: 'robot', role: 'operator' } },
  ]);
  expect(JSON.stringify(entries)).not.toContain(key.slice(-20));
});

test('records what was changed of a workspace, and nothing that was refused', async () => {
  const path = `/admin/workspaces/${api.workspaceId}`;
  await change(path, 'PATCH', { maxInFlight: 7 });
  await change(path, 'PATCH', { maxInFlight: -1 });
  await change('/v1/schemas/policy', 'PUT', policy);
  const { entries } = await read(`workspaceId=${api.workspaceId}`);
  const changes = entries.filter(({ action }) => action.startsWith('PATCH'));
  expect(changes).toMatchObject([{ details: { maxInFlight: 7 }, address: '127.0.0.1' }]);
});

test('records uploads, reads of content and deletions of a document', async () => {
  const upload = { method: 'POST', body: 'text' };
  const { id } = made.parse(await (await api.call('/v1/documents?name=a.txt', upload)).json());
  await (await api.call(`/v1/documents/${id}/artifacts/original`)).arrayBuffer();
  await api.call(`/v1/documents/${id}`);
  await api.call(`/v1/documents/${id}`, { method: 'DELETE' });
  // Reads are written when the response is sent.
  await vi.waitFor(async () => {
    const { entries } = await read(`targetId=${id}`);
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      'DELETE /v1/documents/:id',
      'GET /v1/documents/:id/artifacts/:name',
      'POST /v1/documents/',
    ]);
  });
});

test('a path that is mounted twice is recorded once', async () => {
  await change('/v1/schemas/twice', 'PUT', policy);
  await vi.waitFor(async () => expect((await read('targetId=twice')).entries).toHaveLength(1));
});

test('is read page by page, and by bound administrators for their workspace only', async () => {
  const all = await read('limit=1000');
  const pages = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { entries, nextCursor } = await read(`limit=2${cursor && `&cursor=${cursor}`}`);
    pages.push(...entries);
    cursor = nextCursor;
  }
  expect(pages.slice(-3)).toEqual(all.entries.slice(-3));
  const body = { name: 'bound', role: 'admin', workspaceId: api.workspaceId };
  const answer = await change('/admin/keys', 'POST', body);
  const { key } = z.looseObject({ key: z.string() }).parse(await answer.json());
  const { entries } = await read('limit=1000', key);
  expect(entries.length).toBeGreaterThan(0);
  expect(new Set(entries.map((each) => each.workspaceId))).toEqual(new Set([api.workspaceId]));
});

test('changes nothing that is written, and forgets only what is past its retention', async () => {
  const { pool } = api.resources.database;
  for (const sql of [
    "update audit_log set actor = 'nobody'",
    'delete from audit_log',
    'truncate audit_log',
  ])
    await expect(pool.query(sql)).rejects.toThrow('append-only');
  await pool.query(`insert into audit_log (at, actor, role, action, target_kind, status)
    values (now() - interval '3 days', 'old', 'admin', 'none', 'keys', 200)`);
  const before = (await read('limit=1000')).entries.length;
  expect(await purgeAudit(pool, 2 * DAY)).toBe(1);
  expect((await read('limit=1000')).entries).toHaveLength(before - 1);
  await expect(purgeAudit(pool, 1000)).rejects.toThrow('at least a day');
});
