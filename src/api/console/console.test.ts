import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { loadConsole } from './assets.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const html = { accept: 'text/html,application/xhtml+xml' };

async function logIn(): Promise<string> {
  const answer = await fetch(`${api.url}/login`, {
    method: 'POST',
    body: new URLSearchParams({ key: api.keys.user }),
    redirect: 'manual',
  });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

test('a browser gets the console after login, other clients get JSON as before', async () => {
  const path = '/review/some?type=invoice';
  const refused = await fetch(api.url + path, { headers: html, redirect: 'manual' });
  expect(refused.headers.get('location')).toBe(`/login?next=${encodeURIComponent(path)}`);
  const cookie = await logIn();
  for (const page of ['/', '/review', path, '/documents']) {
    const answer = await fetch(api.url + page, { headers: { ...html, cookie } });
    expect([page, answer.status]).toEqual([page, 200]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-security-policy')).toContain(
      "require-trusted-types-for 'script'",
    );
    expect(await answer.text()).toContain('<div id="app">');
  }
  expect(await (await fetch(api.url)).json()).toMatchObject({ name: 'millrace' });
  expect((await fetch(`${api.url}/review`)).status).toBe(404);
});

test('assets are cached for good and compressed', async () => {
  const { assets = new Map() } = (await loadConsole()) ?? {};
  const [name = ''] = [...assets.keys()].filter((each) => each.endsWith('.js'));
  const answer = await fetch(`${api.url}/assets/${name}`);
  expect(answer.headers.get('cache-control')).toContain('immutable');
  expect(answer.headers.get('content-encoding')).toBe('gzip');
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(assets.get(name)?.plain);
  expect((await fetch(`${api.url}/assets/..%2findex.html`)).status).toBe(404);
});

test('all of the console is smaller than 150 kB', async () => {
  const { assets = new Map() } = (await loadConsole()) ?? {};
  const sizes = [...assets.values()].map(({ gzipped }) => gzipped.length);
  expect(sizes.length).toBeGreaterThan(3);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
});
