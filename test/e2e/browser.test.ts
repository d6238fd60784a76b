import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openTestApi, type TestApi } from '../kit/api.ts';
import { hasBrowser, openBrowser } from '../kit/browser.ts';

const patience = { timeout: 20_000, interval: 100 };

describe.skipIf(!hasBrowser)('in a browser', () => {
  let api: TestApi;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    api = await openTestApi();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await api.close();
  });
  const text = () => browser.evaluate('document.body?.innerText ?? ""');
  const address = () => browser.evaluate('location.pathname');
  const shows = (expected: string | RegExp) =>
    vi.waitFor(async () => expect(await text()).toMatch(expected), patience);
  const submit = (key: string) =>
    browser.evaluate(`document.querySelector('#key').value = '${key}'; document.forms[0].submit()`);

  test('an operator logs in and sees every queue and the pointers in it', async () => {
    const hint = { taskId: '00000000-0000-7000-8000-000000000000', epoch: 7, stage: 'claim' };
    await api.queues.announce([hint]);
    await browser.go(`${api.url}/admin/queues`);
    await vi.waitFor(async () => expect(await address()).toBe('/login'), patience);
    await shows('API key');
    await submit(api.keys.operator);
    await vi.waitFor(async () => expect(await address()).toBe('/admin/queues'), patience);
    await shows(/claim[\s\S]*finalize/);
    await browser.go(`${api.url}/admin/queues/queue/claim?status=waiting`);
    await shows(`${hint.taskId}-7`);
    expect(await text()).not.toMatch(/Promote|Clean|Empty/);
    expect(browser.troubles(api.url)).toEqual([]);
  });

  test('the description of the API opens without a script', async () => {
    await browser.go(`${api.url}/docs`);
    await shows('Millrace API');
    expect(await browser.evaluate('document.scripts.length')).toBe(0);
    expect(await browser.evaluate('document.querySelectorAll("details").length')).toBeGreaterThan(
      20,
    );
    expect(browser.troubles(api.url)).toEqual([]);
  });

  test('logging out ends it', async () => {
    await browser.go(`${api.url}/login`);
    await shows('Log out');
    await browser.evaluate('document.forms[0].submit()');
    await shows('API key');
    await browser.go(`${api.url}/admin/queues`);
    await vi.waitFor(async () => expect(await address()).toBe('/login'), patience);
  });

  test('an administrator pauses a queue where that is allowed', async () => {
    const writable = await openTestApi({ context: { boardWritable: true } });
    onTestFinished(writable.close);
    await browser.go(`${writable.url}/login?next=/admin/queues`);
    await shows('API key');
    await submit(writable.keys.admin);
    await shows(/claim[\s\S]*finalize/);
    await browser.go(`${writable.url}/admin/queues/queue/claim`);
    await shows('No workers');
    // A menu opens when the mouse goes down, and not by a click.
    const menu = `[...document.querySelectorAll('button[aria-haspopup=menu]')].at(-1)`;
    await browser.evaluate(
      `${menu}.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, button: 0 }))`,
    );
    await shows('Pause');
    const press = (role: string, label: string) =>
      browser.evaluate(
        `[...document.querySelectorAll('${role}')].find(({ innerText }) => innerText.trim() === '${label}').click()`,
      );
    await press('[role=menuitem]', 'Pause');
    await shows('Confirm');
    await press('button', 'Confirm');
    await vi.waitFor(
      async () => expect(await writable.queues.byStage.get('claim')?.isPaused()).toBe(true),
      patience,
    );
    expect(browser.troubles(writable.url)).toEqual([]);
  });
});
