import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { updateWorkspace } from '../../db/workspaces.ts';
import { StorageQuotas } from './quotas.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const post = async (body: string | ReadableStream) => {
  const init = { method: 'POST', body, duplex: 'half' as const };
  const response = await api.call('/v1/documents?name=a.txt', init);
  const text = await response.text();
  const { code } = z.looseObject({ code: z.string().optional() }).parse(JSON.parse(text));
  return code ?? response.status;
};
const inChunks = (...chunks: string[]) =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });

beforeEach(async () => {
  await updateWorkspace(api.resources.database.db, api.workspaceId, { storageQuotaBytes: 10 });
});

test('a workspace stores no more than its quota, and what it deletes makes room', async () => {
  expect(await post('12345678901')).toBe('STORAGE_QUOTA_EXCEEDED');
  expect(await post('12345')).toBe(202);
  expect(await post(inChunks('abc', 'def'))).toBe('STORAGE_QUOTA_EXCEEDED');
  expect(await post(inChunks('abc', 'd'))).toBe(202);
  expect(await post('67')).toBe('STORAGE_QUOTA_EXCEEDED');
  const { entries } = await stored();
  expect(entries).toBe(2);
  const { db, pool } = api.resources.database;
  await pool.query('update documents set deleted_at = now()');
  // The sum is read again later, or by another process.
  expect(await new StorageQuotas(db).assertRoom(api.workspaceId)).toBe(10);
});

test('the workspace shows its quota and what it holds', async () => {
  const answer = await api.call(`/admin/workspaces/${api.workspaceId}`, { key: api.keys.admin });
  expect(await answer.json()).toMatchObject({
    storageQuotaBytes: 10,
    storedBytes: expect.any(Number),
  });
});

test('a bound administrator raises neither budget nor quota of its own workspace', async () => {
  const answer = await api.call('/admin/keys', {
    key: api.keys.admin,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bound', role: 'admin', workspaceId: api.workspaceId }),
  });
  const { key } = z.looseObject({ key: z.string() }).parse(await answer.json());
  const patch = async (body: object) =>
    (
      await api.call(`/admin/workspaces/${api.workspaceId}`, {
        key,
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status;
  for (const body of [
    { dailyBudget: 1000 },
    { dailyBudget: null },
    { maxInFlight: 1000 },
    { requestsPerMinute: null },
    { storageQuotaBytes: null },
  ])
    expect(await patch(body)).toBe(403);
  expect(await patch({ retentionDays: 30 })).toBe(200);
});

async function stored() {
  const { rows } = await api.resources.database.pool.query(
    'select count(*)::int as entries from documents where deleted_at is null',
  );
  return rows[0];
}
