import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { newKeyText, storeKey } from '../../db/api-keys.ts';
import { updateWorkspace } from '../../db/workspaces.ts';
import { defaultSettings } from '../settings.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ context: { settings: { ...defaultSettings, requestsPerMinute: 4 } } });
});
afterAll(() => api.close());

async function makeKey(requestsPerMinute?: number) {
  const key = newKeyText();
  const { workspaceId } = api;
  const { db } = api.resources.database;
  await storeKey(db, key, { name: 'limited', role: 'user', workspaceId, requestsPerMinute });
  return key;
}

async function callTimes(key: string, times: number): Promise<number[]> {
  const statuses = [];
  for (let i = 0; i < times; i += 1) statuses.push((await api.call('/v1/formats', { key })).status);
  return statuses;
}

test('a key has the limit of the deployment, or its own', async () => {
  expect(await callTimes(await makeKey(), 5)).toEqual([200, 200, 200, 200, 429]);
  const key = await makeKey(2);
  expect(await callTimes(key, 3)).toEqual([200, 200, 429]);
  const refused = await api.call('/v1/formats', { key });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const problem = z.looseObject({ code: z.string(), retryable: z.boolean() });
  expect(problem.parse(await refused.json())).toMatchObject({
    code: 'RATE_LIMITED',
    retryable: true,
  });
});

test('the keys of a workspace share its limit', async () => {
  await updateWorkspace(api.resources.database.db, api.workspaceId, { requestsPerMinute: 3 });
  expect(await callTimes(await makeKey(100), 2)).toEqual([200, 200]);
  expect(await callTimes(await makeKey(100), 2)).toEqual([200, 429]);
  expect(await callTimes(api.keys.operator, 1)).toEqual([200]);
});
