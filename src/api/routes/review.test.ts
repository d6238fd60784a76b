import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { doubtful, doubtfulValues } from '../../../test/kit/doubtful.ts';
import { drain } from '../../../test/kit/drain.ts';
import { insertDestination } from '../../db/destinations.ts';
import { newId } from '../../lib/ids.ts';
import { startManagerSimulator } from '../../simulators/manager/index.ts';

let api: TestApi;
let manager: Awaited<ReturnType<typeof startManagerSimulator>>;
beforeAll(async () => {
  api = await openTestApi();
  manager = await startManagerSimulator();
  const base = { workspaceId: api.workspaceId, kind: 'http', secret: null, holdMs: 0 };
  const destination = { ...base, settings: { url: manager.url }, maxConcurrent: null };
  await insertDestination(api.resources.database.db, {
    ...destination,
    name: newId(),
    enabled: true,
    deliverDoubtful: false,
  });
});
afterAll(async () => {
  await manager.close();
  await api.close();
});
beforeEach(() => api.resources.database.pool.query("update reviews set state = 'withdrawn'"));

interface Sent {
  key?: string;
  method?: string;
  body?: object;
  revision?: number;
}

async function send(path: string, { key, method = 'POST', body = {}, revision }: Sent = {}) {
  const answer = await api.call(path, {
    method,
    ...(key && { key }),
    body: method === 'GET' ? null : JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      ...(revision !== undefined && { 'if-match': `"${revision}"` }),
    },
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
}
const get = async (path: string, key?: string) =>
  (await send(path, { method: 'GET', ...(key && { key }) })).body;
const list = z.object({ reviews: z.array(z.looseObject({ id: z.string() })) }).loose();
const queue = async (query = '') => list.parse(await get(`/v1/review${query}`));
const fields = (id: string, values: object, revision = 0, key?: string) =>
  send(`/v1/documents/${id}/fields`, {
    method: 'PATCH',
    body: { fields: values },
    revision,
    ...(key && { key }),
  });

describe('a document whose values are in doubt', () => {
  test('waits in the queue with its reasons, and is not delivered', async () => {
    const id = await doubtful(api, 'queued.txt');
    const { reviews, counts } = await queue();
    expect(reviews).toMatchObject([
      {
        id,
        state: 'open',
        documentType: 'receipt',
        reasons: ['total was not found in the document'],
        fields: ['total'],
        assignee: null,
      },
    ]);
    expect(counts).toEqual({ open: 1, byType: { receipt: 1 }, byField: { total: 1 } });
    expect(await get(`/v1/documents/${id}`)).toMatchObject({
      needsReview: true,
      revision: 0,
      review: { state: 'open' },
    });
    expect(manager.store.documents.map(({ name }) => name)).not.toContain('queued.txt');
  });

  test('is listed by type, reason and holder, page by page', async () => {
    const ids = [await doubtful(api, 'a.txt'), await doubtful(api, 'b.txt')];
    for (const [query, expected] of [
      ['?type=receipt&reason=total', 2],
      ['?reason=NOT+FOUND', 2],
      ['?type=invoice', 0],
      ['?reason=supplier_name', 0],
      ['?assignee=me', 0],
      ['?assignee=none', 2],
      ['?state=approved', 0],
    ] as const)
      expect([query, (await queue(query)).reviews.length]).toEqual([query, expected]);
    const first = await queue('?limit=1');
    const second = await queue(`?limit=1&cursor=${first.nextCursor}`);
    expect([...first.reviews, ...second.reviews].map(({ id }) => id)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
    const newest = await queue('?sort=newest');
    expect(newest.reviews.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test('is of no concern to another workspace', async () => {
    const id = await doubtful(api, 'foreign.txt');
    const key = api.keys.stranger;
    expect(await get('/v1/review', key)).toMatchObject({ reviews: [], counts: { open: 0 } });
    expect(await send('/v1/review/next', { key })).toMatchObject({ status: 204 });
    expect((await fields(id, { total: 25 }, 0, key)).status).toBe(404);
  });
});

test('a reviewer settles documents, and can do nothing else', async () => {
  const made = await send('/admin/keys', {
    key: api.keys.admin,
    body: { name: 'kim', role: 'reviewer', workspaceId: api.workspaceId },
  });
  const { key } = made.body;
  const id = await doubtful(api, 'reviewed.txt');
  expect((await send('/v1/review/next', { key })).body.id).toBe(id);
  expect((await fields(id, { total: 25 }, 0, key)).status).toBe(200);
  expect((await send(`/v1/documents/${id}/approve`, { key })).status).toBe(200);
  for (const [method, path] of [
    ['DELETE', `/v1/documents/${id}`],
    ['POST', `/v1/documents/${id}/reprocess`],
    ['GET', '/v1/batches'],
    ['GET', '/admin/dlq'],
  ] as const)
    expect([path, (await send(path, { key, method })).status]).toEqual([path, 403]);
});

describe('a claim', () => {
  test('is given to one of two who ask at the same time', async () => {
    const ids = [await doubtful(api, 'one.txt'), await doubtful(api, 'two.txt')];
    const taken = await Promise.all([
      send('/v1/review/next'),
      send('/v1/review/next', { key: api.keys.operator }),
      send('/v1/review/next', { key: api.keys.admin }),
    ]);
    expect(taken.flatMap(({ body }) => body?.id ?? []).toSorted()).toEqual(ids.toSorted());
    expect(taken.map(({ status }) => status).toSorted()).toEqual([200, 200, 204]);
  });

  test('keeps others from acting until it is released or ends', async () => {
    const id = await doubtful(api, 'held.txt');
    expect((await send(`/v1/review/${id}/claim`)).body.assignee).not.toBeNull();
    const other = { key: api.keys.operator };
    expect((await send(`/v1/review/${id}/claim`, other)).status).toBe(409);
    expect((await send(`/v1/documents/${id}/approve`, other)).status).toBe(409);
    await api.resources.database.pool.query(
      "update reviews set claimed_until = now() - interval '1 second' where document_id = $1",
      [id],
    );
    expect((await send(`/v1/review/${id}/claim`, other)).status).toBe(200);
    expect((await send(`/v1/review/${id}/release`)).body.assignee).not.toBeNull();
    expect((await send(`/v1/review/${id}/release`, other)).body.assignee).toBeNull();
  });
});

describe('a correction', () => {
  test('is judged at once, and the values of the machine stay', async () => {
    const id = await doubtful(api, 'corrected.txt');
    const { status, body } = await fields(id, { total: 25 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      revision: 1,
      values: { ...doubtfulValues, total: 25 },
      verdict: { valid: true, reasons: [] },
    });
    expect(await get(`/v1/documents/${id}`)).toMatchObject({
      structuredData: { total: 25 },
      machineData: { total: 52 },
      needsReview: true,
      revision: 1,
    });
    expect(await get(`/v1/review/${id}`)).toMatchObject({
      reasons: [],
      history: [
        { action: 'corrected', revision: 1, changes: [{ field: 'total', from: 52, to: 25 }] },
      ],
    });
  });

  test.each([
    [{ supplier_name: null }, 'supplier_name is missing'],
    [{ supplier_vat_id: 'DE136695977' }, 'supplier_vat_id is not a valid VAT ID'],
    [{ invoice_date: '2199-01-01' }, 'invoice_date is more than a year in the future'],
  ])('that may be wrong stays in doubt: %j', async (values, reason) => {
    const id = await doubtful(api, 'wrong.txt');
    const { body } = await fields(id, values);
    expect(body.verdict).toMatchObject({ valid: false });
    expect(body.verdict.reasons.join()).toContain(reason);
  });

  test.each([
    [{ total: 'much' }, 'total must be a number.'],
    [{ invoice_date: '2024-02-31' }, 'invoice_date must be a date such as 2026-01-31.'],
    [{ supplier_name: 7 }, 'supplier_name must be text.'],
    [{ totl: 1 }, 'The document type receipt has no field "totl".'],
  ])('that cannot be stored is refused: %j', async (values, detail) => {
    const id = await doubtful(api, 'refused.txt');
    expect(await fields(id, values)).toMatchObject({ status: 400, body: { detail } });
    expect(await get(`/v1/documents/${id}`)).toMatchObject({ revision: 0 });
  });

  test('of values that the person has not seen is refused', async () => {
    const id = await doubtful(api, 'stale.txt');
    const answers = await Promise.all([fields(id, { total: 25 }), fields(id, { total: 26 })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await fields(id, { total: 27 })).body.detail).toContain('revision 1, not 0');
  });

  test('needs a revision', async () => {
    const id = await doubtful(api, 'usage.txt');
    const body = { fields: { total: 1 } };
    const missing = await send(`/v1/documents/${id}/fields`, { method: 'PATCH', body });
    expect(missing).toMatchObject({ status: 400, body: { hint: expect.stringContaining('0') } });
  });

  test('is a row that nobody can change', async () => {
    const id = await doubtful(api, 'history.txt');
    await fields(id, { total: 25 });
    await expect(
      api.resources.database.pool.query("update review_changes set actor = 'me'"),
    ).rejects.toThrow('never changed');
  });
});

describe('a decision', () => {
  test('to approve delivers the corrected values', async () => {
    const id = await doubtful(api, 'approved.txt');
    const approved = await send(`/v1/documents/${id}/approve`, { body: { fields: { total: 25 } } });
    expect(approved).toMatchObject({
      status: 200,
      body: { needsReview: false, valid: true, review: { state: 'approved' } },
    });
    await drain(api.runnerWith());
    const [sent] = manager.store.documents.filter(({ name }) => name === 'approved.txt');
    expect(JSON.parse(String(sent?.metadata))).toMatchObject({
      structuredData: { total: 25 },
      needsReview: false,
    });
    expect((await send(`/v1/documents/${id}/approve`)).status).toBe(409);
    const later = await fields(id, { total: 24 }, 1);
    expect(later.status).toBe(200);
    expect(await get(`/v1/deliveries?documentId=${id}`)).toMatchObject({
      deliveries: [{ status: 'MANAGED', outdated: true }],
    });
  });

  test('to reject ends the review, and nothing is delivered', async () => {
    const id = await doubtful(api, 'rejected.txt');
    expect((await send(`/v1/documents/${id}/reject`)).status).toBe(400);
    const body = { reason: 'not ours' };
    expect(await send(`/v1/documents/${id}/reject`, { body })).toMatchObject({
      body: { needsReview: false, valid: false, review: { state: 'rejected' } },
    });
    await drain(api.runnerWith());
    expect(manager.store.documents.map(({ name }) => name)).not.toContain('rejected.txt');
    expect((await queue()).reviews).toEqual([]);
  });

  test('is an event', async () => {
    const id = await doubtful(api, 'told.txt');
    await send(`/v1/documents/${id}/approve`, { body: { fields: { total: 25 } } });
    await vi.waitFor(async () => {
      const { events } = await get(`/v1/events?documentId=${id}&type=DOCUMENT_REVIEWED`);
      expect(events).toMatchObject([
        { data: { documentId: id, action: 'corrected', fields: ['total'] } },
        { data: { documentId: id, action: 'approved', fields: [] } },
      ]);
    }, 10_000);
    const processed = await get(`/v1/events?documentId=${id}&type=DOCUMENT_PROCESSED`);
    expect(processed.events).toMatchObject([{ data: { needsReview: true } }]);
  });

  test('to read it again withdraws the review, and a doubtful result opens it again', async () => {
    const id = await doubtful(api, 'again.txt');
    expect((await send(`/v1/documents/${id}/reread`)).status).toBe(202);
    expect((await queue()).reviews).toEqual([]);
    expect((await send(`/v1/documents/${id}/approve`)).status).toBe(409);
    await drain(api.runnerWith());
    expect((await queue()).reviews).toMatchObject([{ id, state: 'open' }]);
  });
});
