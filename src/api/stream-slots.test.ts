import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestApi, type TestApi } from '../../test/kit/api.ts';
import { defaultSettings } from './settings.ts';

let api: TestApi;
beforeAll(async () => {
  const settings = { ...defaultSettings, streams: { perKey: 2, total: 3 } };
  api = await openTestApi({ context: { settings } });
});
afterAll(() => api.close());

test('event streams are capped per key and in all, and a closed one makes room', async () => {
  const stops: AbortController[] = [];
  const open = async (key: string) => {
    const stop = new AbortController();
    stops.push(stop);
    return (await api.call('/v1/events/stream', { key, signal: stop.signal })).status;
  };
  expect([await open(api.keys.user), await open(api.keys.user)]).toEqual([200, 200]);
  expect(await open(api.keys.user)).toBe(429);
  expect(await open(api.keys.operator)).toBe(200);
  expect(await open(api.keys.operator)).toBe(429);
  stops[0]?.abort();
  await vi.waitFor(async () => expect(await open(api.keys.operator)).toBe(200));
  for (const stop of stops) stop.abort();
});
