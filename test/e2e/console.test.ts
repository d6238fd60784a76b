import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../kit/api.ts';
import { hasBrowser } from '../kit/browser.ts';
import { findBarriers, openConsoleBrowser } from '../kit/console.ts';
import { doubtful, saveDoubts } from '../kit/doubtful.ts';
import { drain } from '../kit/drain.ts';

const documentJson = z.looseObject({
  name: z.string(),
  needsReview: z.boolean(),
  structuredData: z.record(z.string(), z.unknown()).nullable(),
  review: z.looseObject({ state: z.string() }).nullish(),
});

describe.skipIf(!hasBrowser)('the console', () => {
  let api: TestApi;
  let browser: Awaited<ReturnType<typeof openConsoleBrowser>>;
  beforeAll(async () => {
    api = await openTestApi();
    browser = await openConsoleBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await api.close();
  });
  beforeEach(() => api.resources.database.pool.query("update reviews set state = 'withdrawn'"));

  const focused = (page: Page, id: string) =>
    expect.poll(() => page.evaluate('document.activeElement.id')).toBe(id);
  const open = (path: string, key = api.keys.user) => browser.logIn(api.url, key, path);
  const read = async (id: string) =>
    documentJson.parse(await (await api.call(`/v1/documents/${id}`)).json());

  test('a person uploads, corrects and approves with the keyboard alone', async () => {
    const name = 'uploaded.txt';
    api.behaviours.set(name, saveDoubts);
    const { page, complaints } = await open('/documents');
    await page.setInputFiles('input[type=file]', {
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from('a receipt'),
    });
    await page.getByRole('link', { name }).waitFor();
    await drain(api.runnerWith());
    await page.getByRole('cell', { name: 'needs review' }).waitFor();

    await page.getByRole('link', { name: 'Review' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Review the next document' }).focus();
    await page.keyboard.press('Enter');
    const total = page.getByLabel('Total', { exact: true });
    await total.waitFor();
    await focused(page, 'field-total');

    await page.keyboard.type('much');
    await page.keyboard.press('Enter');
    await page.getByText('must be a number').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('25,00');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing is in doubt any more.').waitFor();
    await focused(page, 'approve');
    await page.keyboard.press('a');
    await page.getByText('Nothing waits for a review').waitFor();

    const list = z.object({ documents: z.array(documentJson) }).loose();
    const { documents } = list.parse(await (await api.call('/v1/documents')).json());
    expect(documents[0]).toMatchObject({
      name,
      needsReview: false,
      review: { state: 'approved' },
      structuredData: { total: 25 },
      machineData: { total: 52 },
    });
    expect(complaints).toEqual([]);
  });

  test('two reviewers never get the same document', async () => {
    await doubtful(api, 'one.txt');
    await doubtful(api, 'two.txt');
    const people = await Promise.all([open('/review'), open('/review', api.keys.operator)]);
    const titles = await Promise.all(
      people.map(async ({ page }) => {
        await page.getByRole('button', { name: 'Review the next document' }).click();
        return page.locator('.values h1').innerText();
      }),
    );
    expect(titles.toSorted()).toEqual(['one.txt', 'two.txt']);
    const [first, second] = people;
    await second?.page.goto(first?.page.url() ?? '');
    await second?.page.getByText('You cannot review this document now').waitFor();
  });

  test('a stale correction is refused and explained', async () => {
    const id = await doubtful(api, 'stale.txt');
    const { page } = await open(`/review/${id}`);
    const total = page.getByLabel('Total', { exact: true });
    await total.waitFor();
    const change = { method: 'PATCH', body: JSON.stringify({ fields: { currency: 'EUR' } }) };
    const headers = { 'content-type': 'application/json', 'if-match': '"0"' };
    expect((await api.call(`/v1/documents/${id}/fields`, { ...change, headers })).status).toBe(200);
    await total.fill('25');
    await page.keyboard.press('Enter');
    await page.getByText('Somebody else was faster').waitFor();
    await page.getByRole('button', { name: 'Load the current values' }).click();
    await expect.poll(() => page.getByLabel('Currency').inputValue()).toBe('EUR');
    expect(await total.inputValue()).toBe('25');
    await total.press('Control+Enter');
    await expect.poll(async () => (await read(id)).needsReview).toBe(false);
    expect((await read(id)).structuredData).toMatchObject({ currency: 'EUR', total: 25 });
  });

  test('a rejection asks for a reason and keeps it', async () => {
    const id = await doubtful(api, 'rejected.txt');
    const { page } = await open(`/review/${id}`);
    await page.getByLabel('Total', { exact: true }).press('Escape');
    await page.keyboard.press('?');
    await page.getByText('reject, with a reason').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('r');
    await page.getByLabel('Reason').fill('not ours');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await read(id)).review?.state).toBe('rejected');
    await page.goto(`${api.url}/documents/${id}`);
    await page.getByText('not ours').waitFor();
  });

  test('a user of another workspace sees nothing', async () => {
    const id = await doubtful(api, 'secret.txt');
    const { page } = await open('/documents', api.keys.stranger);
    await page.getByText('No documents').waitFor();
    await page.goto(`${api.url}/review`);
    await page.getByText('Nothing waits for a review').waitFor();
    for (const path of ['documents', 'review']) {
      await page.goto(`${api.url}/${path}/${id}`);
      await page.getByText(`There is no document ${id}`).waitFor();
      expect(await page.content()).not.toContain('secret.txt');
    }
  });

  test.each(['light', 'dark'] as const)(
    'no serious barrier for people (%s)',
    async (colorScheme) => {
      const id = await doubtful(api, `${colorScheme}.txt`);
      const { page, context, complaints } = await browser.logIn(
        api.url,
        api.keys.operator,
        '/documents',
        { colorScheme },
      );
      for (const [path, shown] of [
        ['/documents', 'Drop files or folders here'],
        [`/documents/${id}`, 'Download the original'],
        ['/review', 'in doubt'],
        [`/review/${id}`, 'Approve'],
      ] as const) {
        await page.goto(api.url + path);
        await page.getByText(shown).first().waitFor();
        expect([path, await findBarriers(context, page)]).toEqual([path, []]);
      }
      expect(complaints).toEqual([]);
    },
  );
});
