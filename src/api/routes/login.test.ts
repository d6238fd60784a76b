import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { defaultSettings } from '../settings.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ context: { settings: { ...defaultSettings, trustProxy: 1 } } });
});
afterAll(() => api.close());

const browser = { accept: 'text/html,application/xhtml+xml' };
const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(api.url + path, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
    headers,
  });

async function logIn(key = api.keys.operator) {
  const answer = await post(
    '/login',
    { key, next: '/admin/queues' },
    { 'sec-fetch-site': 'same-origin' },
  );
  const cookie = answer.headers.get('set-cookie') ?? '';
  return { answer, set: cookie, cookie: cookie.split(';')[0] ?? '' };
}

async function csrfFor(cookie: string): Promise<string> {
  const page = await (await fetch(`${api.url}/login`, { headers: { cookie } })).text();
  return /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
}

describe('a person with a browser', () => {
  test('is sent to log in and then to the page', async () => {
    const page = await fetch(`${api.url}/admin/queues`, { headers: browser, redirect: 'manual' });
    expect(page.status).toBe(303);
    expect(page.headers.get('location')).toBe('/login?next=%2Fadmin%2Fqueues');
    expect(await (await fetch(`${api.url}/login?next=/admin/queues`)).text()).toContain(
      'value="/admin/queues"',
    );
    const { answer, set, cookie } = await logIn();
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/admin/queues');
    expect(set).toMatch(/HttpOnly/);
    expect(set).toMatch(/SameSite=Strict/);
    expect(set).not.toContain(api.keys.operator);
    expect(
      (await fetch(`${api.url}/admin/queues`, { headers: { ...browser, cookie } })).status,
    ).toBe(200);
    expect((await fetch(`${api.url}/v1/documents`, { headers: { cookie } })).status).toBe(200);
  });

  test('gets a cookie for TLS alone where TLS is', async () => {
    const answer = await post(
      '/login',
      { key: api.keys.operator },
      { 'x-forwarded-proto': 'https' },
    );
    expect(answer.headers.get('set-cookie')).toMatch(/Secure/);
  });

  test('is not sent to other sites', async () => {
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\\\evil.example',
      '/admin/queues?x="><script>',
    ]) {
      const answer = await post('/login', { key: api.keys.operator, next });
      expect(answer.headers.get('location')).toBe('/');
    }
  });

  test('with the key of a user leads to a page that is open to users', async () => {
    const answer = await post('/login', { key: api.keys.user });
    expect(answer.headers.get('location')).toBe('/');
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    const status = async (path: string) =>
      (await fetch(`${api.url}${path}`, { headers: { cookie } })).status;
    expect([await status('/v1/documents'), await status('/admin/dlq')]).toEqual([200, 403]);
  });
});

describe('a session', () => {
  let cookie: string;
  beforeEach(async () => {
    ({ cookie } = await logIn());
  });
  const remove = (headers: Record<string, string>) =>
    fetch(`${api.url}/v1/documents/00000000-0000-7000-8000-000000000000`, {
      method: 'DELETE',
      headers,
    });

  test('changes nothing without the token of our pages', async () => {
    expect((await remove({ cookie })).status).toBe(403);
    expect((await remove({ cookie, 'x-csrf-token': 'x'.repeat(43) })).status).toBe(403);
    const token = await csrfFor(cookie);
    expect(
      (await remove({ cookie, 'x-csrf-token': token, 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(403);
    expect(
      (await remove({ cookie, 'x-csrf-token': token, origin: 'https://evil.example' })).status,
    ).toBe(403);
    expect((await remove({ cookie, 'x-csrf-token': token })).status).toBe(404);
  });

  test('ends when its owner says so, and not when others do', async () => {
    expect((await post('/logout', {}, { cookie })).status).toBe(403);
    expect((await post('/logout', { csrf: await csrfFor(cookie) }, { cookie })).status).toBe(303);
    expect((await fetch(`${api.url}/admin/dlq`, { headers: { cookie } })).status).toBe(401);
  });

  test('ends with its time and with its key', async () => {
    const { pool } = api.resources.database;
    await pool.query("update sessions set expires_at = now() - interval '1 second'");
    expect((await fetch(`${api.url}/admin/dlq`, { headers: { cookie } })).status).toBe(401);
    ({ cookie } = await logIn(api.keys.admin));
    await pool.query("update api_keys set revoked_at = now() where name = 'admin'");
    expect((await fetch(`${api.url}/admin/dlq`, { headers: { cookie } })).status).toBe(401);
  });

  test('is kept as a hash', async () => {
    const { rows } = await api.resources.database.pool.query('select * from sessions');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(cookie.split('=')[1]);
  });
});

test('a login from another site is refused', async () => {
  const answer = await post(
    '/login',
    { key: api.keys.operator },
    { 'sec-fetch-site': 'cross-site' },
  );
  expect(answer.status).toBe(403);
});

/** The key with another secret. */
const wrong = (key: string) =>
  key.replace(/_[^_].*$/, (rest) => rest.replace(/.{32}$/, 'x'.repeat(32)));

test('guessing is slowed down per key and client, and the right key always gets in', async () => {
  const guess = wrong(api.keys.operator);
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const attempt = async (key: string, address = '192.0.2.1') =>
    (await post('/login', { key }, from(address))).status;
  const statuses = [];
  for (let i = 0; i < 6; i += 1) statuses.push(await attempt(guess));
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  expect(await attempt('<b>guess')).toBe(401);
  // Behind a proxy that we trust, clients are told apart.
  expect(await attempt(guess, '192.0.2.2')).toBe(401);
  expect((await logIn()).answer.status).toBe(303);
  expect(await attempt(api.keys.operator)).toBe(303);
  expect(await attempt(guess)).toBe(401);
});

test('an address that no proxy vouches for does not make a new client', async () => {
  const other = await openTestApi();
  const guess = { method: 'POST', body: new URLSearchParams({ key: wrong(other.keys.operator) }) };
  const statuses = [];
  for (let i = 0; i < 6; i += 1) {
    const headers = { 'x-forwarded-for': `192.0.2.${i}` };
    statuses.push((await fetch(`${other.url}/login`, { ...guess, headers })).status);
  }
  await other.close();
  expect(statuses.at(-1)).toBe(429);
});
