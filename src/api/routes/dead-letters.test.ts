import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { drain } from '../../../test/kit/drain.ts';
import { PermanentError } from '../../errors.ts';
import { openChoice } from '../../providers/choice.ts';
import type { Reader } from '../../providers/ocr/port.ts';

let api: TestApi;
beforeAll(async () => {
  const ocr = openChoice<Reader>({ local: () => Promise.reject(new Error('not opened here')) });
  api = await openTestApi({ resources: { engines: { ocr, llm: openChoice<never>({}) } } });
});
afterAll(() => api.close());

const list = z.object({
  deadLetters: z.array(
    z.object({
      id: z.string(),
      documentId: z.string(),
      documentName: z.string(),
      code: z.string(),
    }),
  ),
  nextCursor: z.string().nullable(),
});
const groupList = z.object({ groups: z.array(z.looseObject({ count: z.number() })) });
const call = (path: string, method = 'GET', key = api.keys.operator) =>
  api.call(`/admin/dlq${path}`, { method, key });
const open = async (query = '', key?: string) =>
  list.parse(await (await call(query, 'GET', key)).json());

/** A document that fails, and its dead letter. */
async function dead(name: string, message = 'broken') {
  api.behaviours.set(name, async () => {
    throw new PermanentError('INVALID_FILE', message);
  });
  const { documentId } = await api.admit('text', name);
  await drain(api.runnerWith());
  const letter = (await open()).deadLetters.find((each) => each.documentId === documentId);
  if (!letter) throw new Error('There is no dead letter');
  return letter;
}

test('open dead letters are listed page by page, each in its workspace', async () => {
  const letters = [await dead('1.pdf'), await dead('2.pdf'), await dead('3.pdf')].map(
    ({ id }) => id,
  );
  const first = await open('?limit=2');
  const second = await open(`?limit=2&cursor=${first.nextCursor}`);
  const seen = [...first.deadLetters, ...second.deadLetters].map(({ id }) => id);
  expect(seen.toSorted()).toEqual(letters.toSorted());
  expect(second.nextCursor).toBeNull();
  expect((await open('', api.keys.stranger)).deadLetters).toEqual([]);
});

test('a replay is a new run, once', async () => {
  const { id, documentId } = await dead('replayed.pdf');
  api.behaviours.delete('replayed.pdf');
  const answers = await Promise.all([call(`/${id}/replay`, 'POST'), call(`/${id}/replay`, 'POST')]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 202]);
  const { ingestionId } = await api.documentOf(documentId);
  const bodies = await Promise.all(answers.map((answer) => answer.json()));
  expect(bodies).toContainEqual(
    expect.objectContaining({ outcome: 'replayed', replayedAs: ingestionId, state: 'replayed' }),
  );
  expect(bodies).toContainEqual(
    expect.objectContaining({ outcome: 'already-replayed', replayedAs: ingestionId }),
  );
  await drain(api.runnerWith());
  expect(await (await api.call(`/v1/documents/${documentId}`)).json()).toMatchObject({
    status: 'completed',
  });
  expect((await call(`/${id}`, 'DELETE')).status).toBe(409);
});

test('a discarded letter is closed and is not replayed', async () => {
  const { id } = await dead('discarded.pdf');
  expect((await call(`/${id}`, 'DELETE')).status).toBe(204);
  expect((await call(`/${id}`, 'DELETE')).status).toBe(204);
  expect((await open()).deadLetters.map((letter) => letter.id)).not.toContain(id);
  expect(await (await call(`/${id}/replay`, 'POST')).json()).toMatchObject({
    outcome: 'discarded',
    replayedAs: null,
  });
});

test('the letters of another workspace are not there', async () => {
  const { id } = await dead('foreign.pdf');
  expect((await call(`/${id}/replay`, 'POST', api.keys.stranger)).status).toBe(404);
  expect((await call(`/${id}`, 'DELETE', api.keys.stranger)).status).toBe(404);
  expect((await open()).deadLetters.map((letter) => letter.id)).toContain(id);
});

describe('letters of one kind', () => {
  const text = 'Qualität 100%_a';
  let first: { id: string; documentId: string };
  beforeAll(async () => {
    first = await dead('kind-1.pdf', text);
    await dead('kind-2.pdf', text);
    await dead('other.pdf', 'something else');
  });
  const shown = async (query: string) =>
    (await open(`?${query}`)).deadLetters.map(({ documentName }) => documentName).toSorted();

  test('are found by every filter', async () => {
    const { fingerprint } = z
      .looseObject({ fingerprint: z.string() })
      .parse(await (await call(`/${first.id}`)).json());
    const kinds = ['kind-1.pdf', 'kind-2.pdf'];
    expect(await shown(`fingerprint=${fingerprint}`)).toEqual(kinds);
    expect(await shown(`text=${encodeURIComponent('100%_A')}`)).toEqual(kinds);
    expect(await shown('text=100a')).toEqual([]);
    expect(await shown('text=KIND-1')).toEqual(['kind-1.pdf']);
    for (const query of [
      'stage=claim&code=INVALID_FILE',
      `workspace=${api.workspaceId}`,
      'category=rejected',
      'since=2020-01-01T00:00:00Z',
    ])
      expect(await shown(query)).toEqual(expect.arrayContaining(kinds));
    for (const query of [
      'stage=finalize',
      'code=TOO_SLOW',
      'category=lost',
      `batch=${api.workspaceId}`,
      'until=2020-01-01T00:00:00Z',
    ])
      expect(await shown(query)).toEqual([]);
    expect((await call('?since=yesterday')).status).toBe(400);
  });

  test('form a group with an example', async () => {
    const { groups } = groupList.parse(
      await (await call(`/groups?text=${encodeURIComponent(text)}`)).json(),
    );
    expect(groups).toEqual([
      expect.objectContaining({
        stage: 'claim',
        code: 'INVALID_FILE',
        count: 2,
        exampleMessage: text,
      }),
    ]);
    const { groups: foreign } = groupList.parse(
      await (await call('/groups', 'GET', api.keys.stranger)).json(),
    );
    expect(foreign).toEqual([]);
  });

  test('are shown with all that is known, to their own workspace', async () => {
    expect(await (await call(`/${first.id}`)).json()).toMatchObject({
      id: first.id,
      attempts: 0,
      payload: { taskId: expect.any(String), lane: 'small' },
    });
    expect((await call(`/${first.id}`, 'GET', api.keys.stranger)).status).toBe(404);
  });
});

describe('replaying all that fit', () => {
  const ask = (body: object, key = api.keys.operator) =>
    api.call('/admin/dlq/replay-all', {
      method: 'POST',
      key,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const outcomesOf = async (body: object) =>
    z
      .looseObject({ outcomes: z.record(z.string(), z.number()) })
      .parse(await (await ask(body)).json()).outcomes;

  test('tells first what it would do', async () => {
    await dead('dry.pdf', 'dry run');
    const answer = await ask({ filters: { text: 'dry run' }, dryRun: true });
    expect(await answer.json()).toMatchObject({
      dryRun: true,
      matching: 1,
      groups: [{ count: 1 }],
    });
    expect(
      await (await ask({ filters: { text: 'dry run' }, dryRun: true }, api.keys.stranger)).json(),
    ).toMatchObject({
      matching: 0,
    });
    expect((await open('?text=dry%20run')).deadLetters).toHaveLength(1);
  });

  test('is done once', async () => {
    for (const name of ['r1.pdf', 'r2.pdf', 'r3.pdf']) await dead(name, 'once');
    for (const name of ['r1.pdf', 'r2.pdf', 'r3.pdf']) api.behaviours.delete(name);
    expect(await outcomesOf({ filters: { text: 'once' } })).toMatchObject({
      replayed: 3,
      refused: 0,
    });
    expect(await outcomesOf({ filters: { text: 'once' } })).toMatchObject({ replayed: 0 });
  });

  test('goes on where a call ended', async () => {
    for (const name of ['l1.pdf', 'l2.pdf', 'l3.pdf']) await dead(name, 'many');
    expect(await (await ask({ filters: { text: 'many' }, limit: 2 })).json()).toMatchObject({
      more: true,
      outcomes: { replayed: 2 },
    });
    expect(await (await ask({ filters: { text: 'many' }, limit: 2 })).json()).toMatchObject({
      more: false,
      outcomes: { replayed: 1 },
    });
  });

  test.each([
    { filters: { colour: 'red' } },
    { rate: 0 },
    { overrides: { fromStage: 'finalise' } },
    { overrides: { timeoutMs: 1 } },
  ])('refuses %j', async (body) => {
    expect((await ask(body)).status).toBe(400);
  });
});

describe('a replay with a change', () => {
  const replayWith = async (id: string, overrides: object) => {
    const init = {
      method: 'POST',
      key: api.keys.operator,
      headers: { 'content-type': 'application/json' },
    };
    return api.call(`/admin/dlq/${id}/replay`, { ...init, body: JSON.stringify({ overrides }) });
  };

  test('tells the stages, and gives them the time asked for', async () => {
    const { id, documentId } = await dead('patient.pdf', 'too slow');
    const seen: unknown[] = [];
    api.behaviours.set('patient.pdf', async ({ ingestion }) => {
      const { rows } = await api.resources.database.pool.query(
        'select round(extract(epoch from deadline - started_at))::int as seconds from tasks where ingestion_id = $1',
        [ingestion.id],
      );
      seen.push(ingestion.overrides, rows[0]?.seconds);
    });
    expect((await replayWith(id, { timeoutMs: 7_200_000, noOcr: true })).status).toBe(202);
    await drain(api.runnerWith());
    expect(seen).toEqual([{ timeoutMs: 7_200_000, noOcr: true }, 8115]);
    expect(await (await api.call(`/v1/documents/${documentId}`)).json()).toMatchObject({
      status: 'completed',
    });
  });

  test('tells them what the document is, if there is such a type', async () => {
    const { id, documentId } = await dead('typed.pdf', 'what is this');
    const unknown = await replayWith(id, { documentType: 'poem' });
    expect(await unknown.json()).toMatchObject({ status: 422, code: 'UNKNOWN_TYPE' });
    const all = await api.call('/admin/dlq/replay-all', {
      method: 'POST',
      key: api.keys.operator,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        filters: { text: 'what is this' },
        overrides: { documentType: 'poem' },
      }),
    });
    expect(await all.json()).toMatchObject({
      outcomes: { replayed: 0, refused: 1 },
      reasons: ['There is no document type "poem".'],
    });
    const seen: unknown[] = [];
    api.behaviours.set('typed.pdf', async ({ ingestion }) => void seen.push(ingestion.overrides));
    expect((await replayWith(id, { documentType: 'receipt' })).status).toBe(202);
    await drain(api.runnerWith());
    await api.call(`/v1/documents/${documentId}/reprocess`, { method: 'POST' });
    await drain(api.runnerWith());
    expect(seen).toEqual([{ documentType: 'receipt' }, { documentType: 'receipt' }]);
  });

  test('names a provider that is configured', async () => {
    const { id, documentId } = await dead('provider.pdf', 'bad provider');
    const refused = await replayWith(id, { provider: { ocr: 'crystal ball' } });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      code: 'PROVIDER_NOT_CONFIGURED',
      detail: expect.stringContaining('crystal ball'),
      configured: { ocr: ['local'], llm: [] },
    });
    expect((await replayWith(id, { provider: { llm: 'local' } })).status).toBe(422);
    expect((await replayWith(id, { provider: { ocr: 'local' } })).status).toBe(202);
    const { overrides } = await api.latestIngestionOf(documentId);
    expect(overrides).toEqual({ provider: { ocr: 'local' } });
  });

  test('keeps a password sealed, and only as long as it is needed', async () => {
    const { id, documentId } = await dead('locked.pdf', 'locked');
    api.behaviours.delete('locked.pdf');
    const answer = await replayWith(id, { password: 'open sesame' });
    expect(await answer.text()).not.toContain('sesame');
    const { sealedPassword, overrides } = await api.latestIngestionOf(documentId);
    expect([sealedPassword?.includes('sesame'), overrides]).toEqual([false, {}]);
    expect(api.resources.seal.open(sealedPassword ?? '')).toBe('open sesame');
    await drain(api.runnerWith());
    expect(await api.latestIngestionOf(documentId)).toMatchObject({
      status: 'completed',
      sealedPassword: null,
    });
  });

  test('does not begin at a stage that is not there', async () => {
    const { id } = await dead('stage.pdf', 'begin elsewhere');
    expect((await replayWith(id, { fromStage: 'extract' })).status).toBe(409);
    expect((await replayWith(id, {})).status).toBe(202);
  });
});

test('what has succeeded since is left alone', async () => {
  const { id, documentId } = await dead('later.pdf');
  api.behaviours.delete('later.pdf');
  await api.call(`/v1/documents/${documentId}/reprocess`, { method: 'POST' });
  await drain(api.runnerWith());
  await api.resources.database.pool.query(
    "update dead_letters set state = 'open', closed_at = null where id = $1",
    [id],
  );
  const answer = await call(`/${id}/replay`, 'POST');
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    outcome: 'succeeded-since',
    detail: expect.stringContaining('Nothing was done'),
  });
});
