import { afterAll, expect, test } from 'vitest';
import { openTestApi } from '../../../test/kit/api.ts';

const api = await openTestApi();
afterAll(() => api.close());

const { operator: key } = api.keys;
const add = (body: object) =>
  api.call('/admin/passwords', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('a password is added once, and never returned', async () => {
  const made = await add({ label: 'client', password: 'open sesame' });
  expect(made.status).toBe(201);
  expect((await add({ label: 'client', password: 'another' })).status).toBe(409);
  const list = await (await api.call('/admin/passwords', { key })).text();
  expect(list).toContain('client');
  expect(list + (await made.text())).not.toContain('sesame');
});
