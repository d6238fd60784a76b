import { expect, onTestFinished, test } from 'vitest';
import { openTestApi } from '../../../test/kit/api.ts';

test('metrics are read with the token only, where one is set', async () => {
  const metricsToken = 'a token of the test';
  const api = await openTestApi({ context: { metricsToken } });
  onTestFinished(() => api.close());
  const read = async (authorization?: string) =>
    (await fetch(`${api.url}/metrics`, { headers: authorization ? { authorization } : {} })).status;
  expect(await read()).toBe(401);
  expect(await read('Bearer another token')).toBe(401);
  expect(await read(`Bearer ${api.keys.admin}`)).toBe(401);
  expect(await read(`Bearer ${metricsToken}`)).toBe(200);
});
