import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importFiles } from '../../sdk/examples/batch.ts';
import { failedDocuments, replayKind } from '../../sdk/examples/dead-letters.ts';
import { followProcessed } from '../../sdk/examples/events.ts';
import { settleReviews } from '../../sdk/examples/review.ts';
import { explainRefusal, uploadAndWait } from '../../sdk/examples/upload-and-wait.ts';
import { Millrace } from '../../sdk/src/index.ts';
import { PermanentError } from '../../src/errors.ts';
import { openTestApi, type TestApi } from '../kit/api.ts';
import { doubtful } from '../kit/doubtful.ts';
import { drain } from '../kit/drain.ts';

let api: TestApi;
let millrace: Millrace;

beforeAll(async () => {
  api = await openTestApi();
  millrace = new Millrace({ url: api.url, key: api.keys.operator, fetch: afterWork });
});
afterAll(() => api.close());

/** The engine of the test runs on request: before each question about progress. */
const afterWork: typeof fetch = async (input, init) => {
  if (init?.method === 'GET') await drain(api.runnerWith());
  return fetch(input, init);
};

async function writeText(name: string, text = `text of ${name}`): Promise<string> {
  const path = join(api.directory, name);
  await writeFile(path, text);
  return path;
}

test('upload and wait', async () => {
  const { id, needsReview } = await uploadAndWait(millrace, await writeText('invoice.txt'));
  expect(needsReview).toBe(false);
  expect(await millrace.call('getDocument', { path: { id } })).toMatchObject({
    name: 'invoice.txt',
    status: 'completed',
    bytes: 'text of invoice.txt'.length,
  });
  const original = await millrace.request('getArtifact', { path: { id, name: 'original' } });
  expect(await original.text()).toBe('text of invoice.txt');
  const unknown = { path: { id: '00000000-0000-7000-8000-000000000000' } };
  expect(await explainRefusal(() => millrace.call('getDocument', unknown))).toMatch(/^NOT_FOUND: /);
});

test('import files as a batch', async () => {
  const files = await Promise.all(
    ['a.txt', 'b.txt'].map(async (name) => ({ path: await writeText(name), name: `in/${name}` })),
  );
  const report = await importFiles(millrace, 'two files', files);
  expect(report).toMatchObject({ state: 'completed', completed: 2, difference: 0 });
});

test('settle reviews', async () => {
  const [good, bad] = [await doubtful(api, 'good.txt'), await doubtful(api, 'bad.txt')];
  const settled = await settleReviews(millrace, ({ id }) =>
    id === good ? { total: 25 } : undefined,
  );
  expect(settled).toBe(2);
  const states = await Promise.all(
    [good, bad].map(async (id) => (await millrace.call('getReview', { path: { id } })).state),
  );
  expect(states).toEqual(['approved', 'rejected']);
});

test('replay dead letters', async () => {
  api.behaviours.set('broken.txt', async () => {
    throw new PermanentError('INVALID_FILE', 'broken');
  });
  await expect(uploadAndWait(millrace, await writeText('broken.txt'))).rejects.toThrow('failed');
  expect(await failedDocuments(millrace)).toEqual(['broken.txt']);
  api.behaviours.delete('broken.txt');
  expect(await replayKind(millrace, 'INVALID_FILE')).toBe(1);
  await drain(api.runnerWith());
  expect(await failedDocuments(millrace)).toEqual([]);
});

test('follow events, and continue where the last run ended', async () => {
  const seen: (string | null)[] = [];
  let position: string | undefined;
  const listen = async (upTo: number) => {
    const done = new AbortController();
    await followProcessed(millrace, {
      ...(position !== undefined && { lastEventId: position }),
      signal: done.signal,
      handle: ({ documentId }) => void seen.push(documentId),
      save: (saved) => {
        position = saved;
        if (seen.length === upTo) done.abort(new Error('enough'));
      },
    }).catch((error: unknown) => expect(error).toMatchObject({ message: 'enough' }));
  };
  const { nextCursor } = await millrace.call('listEvents', { query: { limit: 1000 } });
  position = nextCursor;
  const first = await uploadAndWait(millrace, await writeText('first.txt'));
  await listen(1);
  const second = await uploadAndWait(millrace, await writeText('second.txt'));
  await listen(2);
  expect(seen).toEqual([first.id, second.id]);
});

test('all items of a list of several pages', async () => {
  for (const number of [1, 2, 3])
    await millrace.upload(`page ${number}`, { name: `${number}.txt` });
  const names: string[] = [];
  for await (const { name } of millrace.each('listDocuments', { query: { limit: 1 } }))
    names.push(name);
  expect(names.slice(0, 3)).toEqual(['3.txt', '2.txt', '1.txt']);
  expect(names.length).toBeGreaterThan(3);
});
