import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { drain } from '../../../test/kit/drain.ts';
import { csvLine } from '../../lib/csv.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  await process('two.txt', {
    supplier_name: '=cmd()',
    total: -30,
    line_items: [
      { description: 'Hammer, "large"', amount: 25 },
      { description: 'Nails', amount: 5 },
    ],
  });
  await process('none.txt', { total: 1 });
  await process('letter.txt', {}, 'letter');
});
afterAll(() => api.close());

async function process(name: string, values: object, type = 'invoice'): Promise<void> {
  const { documentId } = await api.admit(name, name);
  await drain(api.runnerWith());
  await api.resources.database.pool.query(
    'update ingestions set structured_data = $2, document_type = $3 where document_id = $1',
    [documentId, JSON.stringify(values), type],
  );
}

async function download(query: string, key = api.keys.user): Promise<string> {
  const response = await api.call(`/v1/documents/export?${query}`, { key });
  expect(response.status).toBe(200);
  return response.text();
}

/** Rows as objects, of the cells that matter here. */
async function rowsOf(query: string) {
  const [head = '', ...lines] = (await download(query)).trimEnd().split('\r\n');
  const cells = (line: string) =>
    [...line.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell = '']) => cell.replaceAll('""', '"'));
  const at = (name: string) => cells(head).indexOf(name);
  const wanted = ['name', 'supplier_name', 'total', 'line', 'line_items.description'];
  return lines.map((line) => wanted.map((name) => cells(line)[at(name)]));
}

test('CSV has a row per line item, with the values of its document', async () => {
  expect(await rowsOf('format=csv&type=invoice')).toEqual([
    ['none.txt', '', '1', '', ''],
    ['two.txt', "'=cmd()", '-30', '1', 'Hammer, "large"'],
    ['two.txt', "'=cmd()", '-30', '2', 'Nails'],
  ]);
});

test('JSON Lines has an object per document, of all types or one', async () => {
  const line = z.looseObject({ name: z.string(), structuredData: z.looseObject({}) });
  const parse = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((each) => line.parse(JSON.parse(each)));
  expect(parse(await download('')).map(({ name }) => name)).toEqual([
    'letter.txt',
    'none.txt',
    'two.txt',
  ]);
  expect(parse(await download('type=letter'))).toMatchObject([{ structuredData: {} }]);
});

test('another workspace exports nothing of this one', async () => {
  expect(await download('', api.keys.stranger)).toBe('');
});

test.each([
  ['format=csv', 400, 'Add type'],
  ['format=csv&type=nothing', 422, ''],
  ['format=xls', 400, ''],
  ['typ=invoice', 400, 'Choose from'],
])('?%s is refused', async (query, status, hint) => {
  const response = await api.call(`/v1/documents/export?${query}`);
  expect(response.status).toBe(status);
  const problem = z.looseObject({ hint: z.string().default('') }).parse(await response.json());
  expect(problem.hint).toContain(hint);
});

test('an export is in the audit log', async () => {
  await download('type=letter');
  await expect
    .poll(async () => (await api.call('/admin/audit', { key: api.keys.admin })).text())
    .toContain('GET /v1/documents/export');
});

test('an export has more than one page of documents', async () => {
  const names = Array.from({ length: 201 }, (_, number) => `${number}.txt`);
  await Promise.all(names.map((name) => api.admit(name, name)));
  await drain(api.runnerWith());
  const lines = (await download('')).trimEnd().split('\n');
  expect(new Set(lines).size).toBe(names.length + 3);
});

test('numbers are no formulas', () => {
  expect(csvLine([-1, '-1', null])).toBe(`"-1","'-1",""\r\n`);
});
