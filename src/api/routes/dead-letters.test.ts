import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { drain } from '../../engine/drain.ts';
import { PermanentError } from '../../errors.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const list = z.object({
  deadLetters: z.array(z.object({ id: z.string(), documentId: z.string(), code: z.string() })),
  nextCursor: z.string().nullable(),
});
const call = (path: string, method = 'GET', key = api.keys.operator) => api.call(`/admin/dlq${path}`, { method, key });
const open = async (query = '', key?: string) => list.parse(await (await call(query, 'GET', key)).json());

/** A document that fails, and its dead letter. */
async function dead(name: string) {
  api.behaviours.set(name, async () => {
    throw new PermanentError('INVALID_FILE', 'broken');
  });
  const { documentId } = await api.admit('text', name);
  await drain(api.runnerWith());
  const letter = (await open()).deadLetters.find((each) => each.documentId === documentId);
  if (!letter) throw new Error('There is no dead letter');
  return letter;
}

test('open dead letters are listed page by page, each in its workspace', async () => {
  const letters = [await dead('1.pdf'), await dead('2.pdf'), await dead('3.pdf')].map(({ id }) => id);
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
    expect.objectContaining({ replayed: true, replayedAs: ingestionId, state: 'replayed' }),
  );
  expect(bodies).toContainEqual(expect.objectContaining({ replayed: false, replayedAs: ingestionId }));
  await drain(api.runnerWith());
  expect(await (await api.call(`/v1/documents/${documentId}`)).json()).toMatchObject({ status: 'completed' });
  expect((await call(`/${id}`, 'DELETE')).status).toBe(409);
});

test('a discarded letter is closed and is not replayed', async () => {
  const { id } = await dead('discarded.pdf');
  expect((await call(`/${id}`, 'DELETE')).status).toBe(204);
  expect((await call(`/${id}`, 'DELETE')).status).toBe(204);
  expect((await open()).deadLetters.map((letter) => letter.id)).not.toContain(id);
  expect((await call(`/${id}/replay`, 'POST')).status).toBe(409);
});

test('the letters of another workspace are not there', async () => {
  const { id } = await dead('foreign.pdf');
  expect((await call(`/${id}/replay`, 'POST', api.keys.stranger)).status).toBe(404);
  expect((await call(`/${id}`, 'DELETE', api.keys.stranger)).status).toBe(404);
  expect((await open()).deadLetters.map((letter) => letter.id)).toContain(id);
});
