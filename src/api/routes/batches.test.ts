import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { drain } from '../../../test/kit/drain.ts';
import { openDatabase } from '../../db/index.ts';
import { spend } from '../../engine/budget/spend.ts';
import { PermanentError } from '../../errors.ts';
import { storageKeys } from '../../storage/keys.ts';
import { toProblem } from '../problem-json.ts';
import { startServer } from '../server.ts';
import { startRefusal } from '../start-refusal.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const withId = z.looseObject({ id: z.string() });
const at = (id: string, rest = '') => `/v1/batches/${id}${rest}`;
const post = (path: string, body?: unknown, options: Parameters<TestApi['call']>[1] = {}) =>
  api.call(path, {
    method: 'POST',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...options,
    headers: { 'content-type': 'application/json', ...options.headers },
  });
const created = async (body: Record<string, unknown> = {}) =>
  withId.parse(await (await post('/v1/batches', { name: 'import', ...body })).json()).id;
const add = (id: string, name: string, body = name, headers: Record<string, string> = {}) =>
  api.call(at(id, `/documents?name=${encodeURIComponent(name)}`), {
    method: 'POST',
    body,
    headers,
  });
const shown = async (id: string) => (await api.call(at(id))).json();

async function processed(names: string[], body: Record<string, unknown> = {}) {
  const id = await created(body);
  for (const name of names) await add(id, name, `${id}/${name}`);
  await post(at(id, '/start'));
  await post(at(id, '/finish'));
  await drain(api.runnerWith());
  return id;
}

describe('a batch with a ceiling', () => {
  const limit = (id: string, maxCost: unknown) =>
    api.call(at(id), {
      method: 'PATCH',
      body: JSON.stringify({ maxCost }),
      headers: { 'content-type': 'application/json' },
    });

  test('says what it cost and what it holds, and goes on when that is raised', async () => {
    const names = ['a', 'b', 'c'];
    for (const name of names)
      api.behaviours.set(`${name}.pdf`, (document, context) =>
        spend(document, context, {
          engine: 'vendor/1',
          quote: 2_000,
          buy: async (charge) => charge(1_500),
        }),
      );
    const id = await processed(
      names.map((name) => `${name}.pdf`),
      { maxCost: 0.0035 },
    );
    expect(await shown(id)).toMatchObject({
      state: 'active',
      maxCost: 0.0035,
      progress: {
        completed: 2,
        held: 1,
        cost: 0.003,
        stages: [{ stage: 'claim', state: 'ready', held: 'batch-budget', count: 1 }],
      },
    });
    for (const wrong of [0.0000001, undefined]) expect((await limit(id, wrong)).status).toBe(400);
    expect(await (await limit(id, 0.005)).json()).toMatchObject({ maxCost: 0.005, priority: 50 });
    await drain(api.runnerWith());
    expect(await shown(id)).toMatchObject({
      state: 'completed',
      progress: { completed: 3, held: 0, cost: 0.0045 },
    });
    expect((await limit(id, null)).status).toBe(409);
  });
});

describe('a batch', () => {
  test('is created, filled in three ways, started, finished and completed', async () => {
    const answer = await post('/v1/batches', { name: 'March', type: 'FILES', priority: 10 });
    expect(answer.status).toBe(201);
    const { id } = withId.parse(await answer.json());
    expect(answer.headers.get('location')).toBe(at(id));

    expect((await add(id, 'one.txt')).status).toBe(202);
    const form = new FormData();
    for (const name of ['two.txt', 'three.txt']) form.append('file', new Blob([name]), name);
    expect(
      await (await api.call(at(id, '/documents'), { method: 'POST', body: form })).json(),
    ).toMatchObject({
      documents: [{ outcome: 'added' }, { outcome: 'added' }],
    });
    const inbox = storageKeys.inbox(api.workspaceId);
    for (const name of ['four.txt', 'five.txt'])
      await api.resources.storage.put(`${inbox}march/${name}`, Buffer.from(name));
    const imported = { added: 2, duplicate: 0, repeated: 0, failed: 0 };
    expect(await (await post(at(id, '/import'), { prefix: 'march/' })).json()).toEqual(imported);
    expect(await (await post(at(id, '/import'), { prefix: 'march/' })).json()).toEqual({
      ...imported,
      added: 0,
      repeated: 2,
    });

    expect(await (await post(at(id, '/start'))).json()).toMatchObject({
      state: 'active',
      priority: 10,
    });
    expect(await shown(id)).toMatchObject({
      progress: {
        documents: 5,
        open: 5,
        inFlight: 5,
        waiting: 0,
        stages: [{ stage: 'claim', state: 'ready', count: 5 }],
      },
    });
    await post(at(id, '/finish'), { items: 5 });
    await drain(api.runnerWith());
    expect(await shown(id)).toMatchObject({
      state: 'completed',
      progress: { completed: 5, open: 0, eta: { soonest: 0, latest: 0 } },
      ledger: { seen: 5, documents: 5 },
    });
    const listed = await (await api.call(`/v1/documents?batchId=${id}`)).json();
    expect(listed).toMatchObject({
      documents: Array.from({ length: 5 }, () => ({ batchId: id, status: 'completed' })),
    });
  });

  test('refuses what its state does not allow, and says why', async () => {
    const id = await processed(['done.txt']);
    for (const [path, reason] of [
      ['/start', 'cannot be started'],
      ['/pause', 'cannot be paused'],
      ['/cancel', 'cannot be cancelled'],
      ['/documents?name=late.txt', 'cannot take more documents'],
    ]) {
      const answer = await post(at(id, path), undefined, { body: '{}' });
      expect(answer.status).toBe(409);
      expect(await answer.json()).toMatchObject({
        code: 'CONFLICT',
        detail: expect.stringContaining(`${reason}: it is completed`),
      });
    }
  });

  test.each([
    [{ name: 'x', priority: -1 }, 400],
    [{ name: 'x', type: 'CASSETTE' }, 400],
    [{ name: '' }, 400],
    [{ name: 'x', workspaceId: '00000000-0000-7000-8000-000000000000' }, 404],
  ])('%j is refused with %i', async (body, status) => {
    const answer = await post('/v1/batches', body, { key: api.keys.admin });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  });

  test('answers the same to the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'april' };
    const first = await post('/v1/batches', { name: 'April' }, { headers });
    const again = await post('/v1/batches', { name: 'April' }, { headers });
    expect([first.status, again.status]).toEqual([201, 200]);
    const { id } = withId.parse(await first.json());
    expect(withId.parse(await again.json()).id).toBe(id);
    const [one, two] = [
      await add(id, 'a.txt', 'a', { 'idempotency-key': 'a' }),
      await add(id, 'a.txt', 'a', { 'idempotency-key': 'a' }),
    ];
    expect(await one.json()).toMatchObject({ outcome: 'added' });
    expect(await two.json()).toMatchObject({ outcome: 'repeated' });
    const elsewhere = await add(await created(), 'a.txt', 'a', { 'idempotency-key': 'a' });
    expect(elsewhere.status).toBe(409);
    const other = await add(id, 'b.txt', 'other bytes', { 'idempotency-key': 'a' });
    expect([other.status, await other.json()]).toMatchObject([
      422,
      { code: 'IDEMPOTENCY_KEY_REUSED' },
    ]);
    expect((await post('/v1/batches', { name: 'May' }, { headers })).status).toBe(422);
    expect(await shown(id)).toMatchObject({ itemsSeen: 1, progress: { documents: 1 } });
    expect(
      (await post('/v1/batches', { name: 'x' }, { headers: { 'idempotency-key': 'two words' } }))
        .status,
    ).toBe(400);
  });

  test('of another workspace is not there, on any route', async () => {
    const id = await created();
    const key = api.keys.stranger;
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/events'],
      ['GET', '/report'],
      ['POST', '/start'],
      ['POST', '/finish'],
      ['POST', '/cancel'],
      ['POST', '/items'],
      ['POST', '/import'],
      ['POST', '/documents?name=x.txt'],
    ]) {
      const body = path === '/items' ? { name: 'x', reason: 'x' } : {};
      const answer = await api.call(at(id, path), {
        key,
        method: method ?? '',
        headers: { 'content-type': 'application/json' },
        ...(method === 'POST' && { body: JSON.stringify(body) }),
      });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    expect(await (await api.call('/v1/batches', { key })).json()).toMatchObject({ batches: [] });
  });

  test('is cancelled with all its documents', async () => {
    const id = await created();
    for (const name of ['1', '2', '3']) await add(id, name, `cancel/${name}`);
    await post(at(id, '/start'));
    const answer = await post(at(id, '/cancel'), { mode: 'full' });
    expect(answer.status).toBe(202);
    expect(await answer.json()).toMatchObject({
      state: 'cancelled',
      progress: { cancelled: 3, open: 0 },
    });
  });
});

describe('what happens in a batch', () => {
  test('is streamed to its end, and a reader that was cut off goes on where it stopped', async () => {
    const id = await processed(['a.txt', 'b.txt']);
    const whole = await (await api.call(at(id, '/events'))).text();
    const types = [...whole.matchAll(/^event: (.+)$/gm)].map(([, type]) => type);
    expect(types).toEqual(
      expect.arrayContaining([
        'BATCH_CREATED',
        'JOB_STARTED',
        'BATCH_PROGRESS',
        'BATCH_END_FINISHED',
      ]),
    );
    expect(types.at(-1)).toBe('LOADER_FINISHED');
    const ids = [...whole.matchAll(/^id: (.+)$/gm)].map(([, each]) => each ?? '');
    const rest = await (
      await api.call(at(id, '/events'), { headers: { 'last-event-id': ids[2] ?? '' } })
    ).text();
    expect([...rest.matchAll(/^id: (.+)$/gm)].map(([, each]) => each)).toEqual(ids.slice(3));
  });

  test('does not hold up the server when it closes', async () => {
    const other = await openTestApi();
    const headers = { 'content-type': 'application/json' };
    const made = await other.call('/v1/batches', {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'open' }),
    });
    const answer = await other.call(at(withId.parse(await made.json()).id, '/events'));
    const whole = answer.text();
    await other.close();
    expect(await whole).toContain('BATCH_CREATED');
  });

  test('is reported with what went wrong, as JSON and as CSV that no spreadsheet runs', async () => {
    api.behaviours.set('=cmd.pdf', async () => {
      throw new PermanentError('INVALID_FILE', 'no PDF');
    });
    const id = await created();
    await add(id, '=cmd.pdf');
    await add(id, 'copy.pdf', '=cmd.pdf');
    await post(at(id, '/items'), { kind: 'skipped', name: 'thumbs.db', reason: 'no document' });
    await post(at(id, '/start'));
    await post(at(id, '/finish'));
    await drain(api.runnerWith());
    expect(await (await api.call(at(id, '/report'))).json()).toMatchObject({
      state: 'completed',
      difference: 0,
      ledger: { seen: 3, documents: 1, duplicate: 1, skipped: 1 },
      exceptions: [
        {
          kind: 'failed',
          name: '=cmd.pdf',
          stage: 'claim',
          code: 'INVALID_FILE',
          hint: expect.stringContaining('damaged'),
        },
        { kind: 'duplicate', name: 'copy.pdf' },
        { kind: 'skipped', name: 'thumbs.db', message: 'no document' },
      ],
    });
    const csv = await api.call(at(id, '/report?format=csv'));
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment/);
    const lines = (await csv.text()).split('\r\n');
    expect(lines[0]).toBe('"kind","documentId","path","name","stage","code","message","hint"');
    expect(lines[1]).toContain(`"'=cmd.pdf"`);
    expect(lines).toHaveLength(5);
  });
});

describe('starting a batch', () => {
  test('tells what would come of it before it is asked for, and what came of it', async () => {
    const id = await created();
    expect(await shown(id)).toMatchObject({ state: 'open', startResult: 'continue' });
    expect((await post(at(id, '/start'))).status).toBe(200);
    expect(await shown(id)).toMatchObject({ startResult: 'duplicate' });
    const again = await post(at(id, '/start'));
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({
      code: 'CONFLICT',
      result: 'duplicate',
      hint: expect.any(String),
    });
    await post(at(id, '/pause'));
    expect(await (await post(at(id, '/start'))).json()).toMatchObject({
      status: 409,
      result: 'incomplete',
    });
    await post(at(id, '/cancel'));
    expect(await (await post(at(id, '/start'))).json()).toMatchObject({
      status: 409,
      result: 'cancelled',
    });
  });

  test('without a database is answered with 503 and the time to try again', async () => {
    const id = await created();
    const away = openDatabase({
      url: 'postgres://127.0.0.1:1/none',
      connections: 1,
      onError: () => undefined,
    });
    onTestFinished(() => away.close());
    const context = { ...api.context, resources: { ...api.resources, database: away } };
    const server = await startServer(context, { host: '127.0.0.1', port: 0 });
    onTestFinished(server.close);
    const headers = { authorization: `Bearer ${api.keys.user}` };
    const answer = await fetch(server.url + at(id, '/start'), { method: 'POST', headers });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.json()).toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryable: true });
    // Above, the lookup of the API key failed. Here only the lookup of the batch fails.
    const { problem } = toProblem(
      startRefusal({ result: 'database-error', cause: new Error('gone') }),
    );
    expect(problem).toMatchObject({ status: 503, retryable: true, result: 'database-error' });
  });
});

test('a batch whose items do not add up is counted until they do', async () => {
  const metrics = async () => (await api.call('/metrics')).text();
  const id = await created();
  await add(id, 'only.txt', `only of ${id}`);
  await post(at(id, '/start'));
  await post(at(id, '/finish'), { items: 2 });
  await drain(api.runnerWith());
  expect(await shown(id)).toMatchObject({ state: 'unbalanced', startResult: 'incomplete' });
  expect(await metrics()).toMatch(/^millrace_batches_unbalanced 1$/m);
  expect(await metrics()).toMatch(/^millrace_batches\{state="unbalanced"\} 1$/m);
  await post(at(id, '/items'), { name: 'other.txt', reason: 'unreadable' });
  expect(await shown(id)).toMatchObject({ state: 'completed' });
  expect(await metrics()).toMatch(/^millrace_batches_unbalanced 0$/m);
});

test('an item is noted once under one key, also when no more are taken', async () => {
  const id = await created();
  const note = () =>
    post(
      at(id, '/items'),
      { name: 'other.txt', reason: 'unreadable' },
      { headers: { 'idempotency-key': `note-${id}` } },
    );
  expect((await note()).status).toBe(200);
  await post(at(id, '/finish'), { items: 1 });
  expect((await note()).status).toBe(200);
  expect(await (await api.call(at(id, '/report'))).json()).toMatchObject({
    state: 'completed',
    ledger: { seen: 1, exception: 1 },
  });
});
