import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { drain } from '../../../test/kit/drain.ts';
import { noChild } from '../../../test/kit/no-child.ts';
import { ingestions } from '../../db/schema/ingestions.ts';
import { tasks } from '../../db/schema/tasks.ts';
import { runTask } from '../../engine/task/executor.ts';
import { PermanentError } from '../../errors.ts';
import { storageKeys } from '../../storage/keys.ts';
import { saveTranscription } from '../../storage/transcriptions.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const at = (id: string, rest = '') => `/v1/documents/${id}${rest}`;
const post = (path: string) => api.call(path, { method: 'POST' });

async function processed(name: string) {
  const { documentId } = await api.admit('text', name);
  await drain(api.runnerWith());
  return documentId;
}

/** A page with one word on it, as a stage would have stored it. */
async function transcribed(documentId: string) {
  const { id } = await api.ingestionOf(documentId);
  const word = {
    text: 'Grüße',
    box: [1, 2, 3, 4] as [number, number, number, number],
    confidence: 0.9,
  };
  const quality = { score: 0.9, defects: [] };
  const page = {
    number: 1,
    width: 10,
    height: 10,
    text: 'Grüße',
    words: [word],
    quality,
    native: false,
  };
  const transcription = { engine: 'test/1', pages: [page], embedded: [], problems: [] };
  const key = storageKeys.transcription(id, 1);
  const { sha256 } = await saveTranscription(api.resources.storage, key, 'source', transcription);
  const set = {
    transcriptionKey: key,
    transcriptionSha256: sha256,
    structuredData: { total: '1.00' },
  };
  await api.resources.database.db.update(ingestions).set(set).where(eq(ingestions.id, id));
  return transcription;
}

describe('a document', () => {
  test('is shown with its state, without storage keys', async () => {
    const { documentId } = await api.admit('text', 'shown.txt');
    expect(await (await api.call(at(documentId))).json()).toMatchObject({
      status: 'in-progress',
      stages: [],
    });
    await drain(api.runnerWith());
    const shown = await (await api.call(at(documentId))).json();
    expect(shown).toMatchObject({
      id: documentId,
      name: 'shown.txt',
      status: 'completed',
      stages: ['claim', 'finalize'],
      links: { original: `/v1/documents/${documentId}/artifacts/original` },
    });
    expect(JSON.stringify(shown)).not.toContain('storageKey');
  });

  test('that failed says why and what to do', async () => {
    api.behaviours.set('bad.pdf', async () => {
      throw new PermanentError('INVALID_FILE', 'no PDF');
    });
    expect(await (await api.call(at(await processed('bad.pdf')))).json()).toMatchObject({
      status: 'failed',
      needsReview: true,
      problems: [
        { code: 'INVALID_FILE', message: 'no PDF', hint: expect.stringContaining('damaged') },
      ],
    });
  });

  test.each(['00000000-0000-7000-8000-000000000000', 'nonsense', '..%2f..%2fetc'])(
    '%s is not found',
    async (id) => {
      const answer = await api.call(at(id));
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({
        code: 'NOT_FOUND',
        retryable: false,
        status: 404,
      });
    },
  );
});

describe('what came out of a document', () => {
  test('is refused while it is on its way, with the advice to come back', async () => {
    const { documentId } = await api.admit('text', 'early.txt');
    for (const path of ['/result', '/text', '/artifacts/transcription']) {
      const answer = await api.call(at(documentId, path));
      expect(answer.status).toBe(409);
      expect(await answer.json()).toMatchObject({ code: 'IN_PROGRESS', retryable: true });
    }
  });

  test('is its result, its text and its words', async () => {
    const { documentId } = await api.admit('text', 'read.txt');
    const transcription = await transcribed(documentId);
    await drain(api.runnerWith());
    const result = await api.call(at(documentId, '/result'));
    expect(await result.json()).toMatchObject({
      status: 'completed',
      structuredData: { total: '1.00' },
    });
    const text = await api.call(at(documentId, '/text'));
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await text.text()).toBe('Grüße');
    expect(await (await api.call(at(documentId, '/text?format=json'))).json()).toEqual(
      transcription,
    );
    expect((await api.call(at(documentId, '/text?format=xml'))).status).toBe(400);
  });

  test('is absent where no stage made it', async () => {
    const documentId = await processed('bare.txt');
    for (const path of [
      '/text',
      '/artifacts/preprocessed',
      '/artifacts/secrets',
      '/artifacts/..%2f..%2fx',
    ]) {
      expect((await api.call(at(documentId, path))).status).toBe(404);
    }
  });

  test('is downloaded as an attachment that no browser shows', async () => {
    const documentId = await processed('<script>"ü".html');
    const answer = await api.call(at(documentId, '/artifacts/original'));
    expect(await answer.text()).toBe('text');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-length': '4',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="[ -~]+"; filename\*=UTF-8''[%\w.-]+$/,
      ),
    });
    expect((await api.call(at(documentId, '/artifacts/original'), { method: 'HEAD' })).status).toBe(
      200,
    );
  });
});

describe('the list', () => {
  test('gives every document once, page by page, newest first', async () => {
    const own = await openTestApi();
    const admitted: string[] = [];
    for (let i = 0; i < 25; i++) admitted.push((await own.admit('text', `${i}.txt`)).documentId);
    const page = z.object({
      documents: z.array(z.object({ id: z.string() })),
      nextCursor: z.string().nullable(),
    });
    const seen: string[] = [];
    let path: string | undefined = '/v1/documents?limit=10';
    for (let pages = 1; path; pages++) {
      const { documents, nextCursor } = page.parse(await (await own.call(path)).json());
      seen.push(...documents.map(({ id }) => id));
      path = nextCursor ? `/v1/documents?limit=10&cursor=${nextCursor}` : undefined;
      if (!path) expect(pages).toBe(3);
    }
    expect(seen).toEqual(admitted.toSorted().reverse());
    expect(await (await own.call('/v1/documents', { key: own.keys.stranger })).json()).toEqual({
      documents: [],
      nextCursor: null,
    });
    await own.close();
  });

  test('is filtered by status and need of review', async () => {
    const documentId = await processed('bad.pdf');
    const { documents } = z
      .object({
        documents: z.array(
          z.object({ id: z.string(), status: z.string(), needsReview: z.boolean() }),
        ),
      })
      .parse(await (await api.call('/v1/documents?status=failed&needsReview=true')).json());
    expect(documents.map(({ id }) => id)).toContain(documentId);
    expect(new Set(documents.map(({ status }) => status))).toEqual(new Set(['failed']));
  });

  test('rejects a parameter that it does not have', async () => {
    const answer = await api.call('/v1/documents?statuss=failed');
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      detail: 'There is no query parameter "statuss".',
      hint: expect.stringContaining('status'),
    });
  });

  test.each(['cursor=xyz', 'limit=0', 'limit=1000', 'status=odd', 'needsReview=perhaps'])(
    'refuses %s',
    async (query) => {
      const answer = await api.call(`/v1/documents?${query}`);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ issues: [{ path: query.split('=')[0] }] });
    },
  );
});

describe('reprocessing', () => {
  test('is a new run; of two at once one is refused', async () => {
    const documentId = await processed('again.txt');
    const { ingestionId: before } = await api.documentOf(documentId);
    const answers = await Promise.all([
      post(at(documentId, '/reprocess')),
      post(at(documentId, '/reprocess')),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    const { ingestionId } = await api.documentOf(documentId);
    expect(ingestionId).not.toBe(before);
    await drain(api.runnerWith());
    expect(await (await api.call(at(documentId))).json()).toMatchObject({
      status: 'completed',
      ingestionId,
    });
  });

  test('answers the dead letters of the run before', async () => {
    const documentId = await processed('bad.pdf');
    await post(at(documentId, '/reprocess'));
    const { ingestionId } = await api.documentOf(documentId);
    const { rows } = await api.resources.database.pool.query(
      'select d.state, d.replayed_as from dead_letters d join ingestions i on i.id = d.ingestion_id where document_id = $1',
      [documentId],
    );
    expect(rows).toEqual([{ state: 'replayed', replayed_as: ingestionId }]);
  });
});

describe('cancelling', () => {
  test('stops what runs: its late result is refused', async () => {
    api.behaviours.set('running.txt', async ({ id }) => {
      expect((await post(at(id, '/cancel'))).status).toBe(200);
    });
    const { documentId } = await api.admit('text', 'running.txt');
    const { id, epoch } = await api.taskOf(documentId);
    expect(
      await runTask(api.runnerWith(), 'claim', { taskId: id, epoch }, { inChild: noChild }),
    ).toBe('lost');
    expect(await api.taskOf(documentId)).toMatchObject({
      state: 'cancelled',
      epoch: epoch + 2,
      leaseOwner: null,
    });
    expect(await api.ingestionOf(documentId)).toMatchObject({
      status: 'cancelled',
      completedAt: expect.any(Date),
    });
    expect((await api.eventsOf(documentId)).map(({ type }) => type)).toEqual([
      'DOCUMENT_ADDED',
      'TASK_ADDED',
      'DOCUMENT_PROCESSED',
    ]);
  });

  test('is refused when the document has ended', async () => {
    const documentId = await processed('ended.txt');
    expect((await post(at(documentId, '/cancel'))).status).toBe(409);
    expect(await api.ingestionOf(documentId)).toMatchObject({ status: 'completed' });
  });
});

describe('deleting', () => {
  test('cancels, hides and removes the bytes', async () => {
    const { documentId } = await api.admit('text', 'gone.txt');
    await transcribed(documentId);
    const { id } = await api.ingestionOf(documentId);
    const destroy = () => api.call(at(documentId), { method: 'DELETE' });
    const answers = await Promise.all([destroy(), destroy()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect((await destroy()).status).toBe(404);
    for (const path of ['', '/result', '/text', '/artifacts/original']) {
      expect((await api.call(at(documentId, path))).status).toBe(404);
    }
    expect((await post(at(documentId, '/reprocess'))).status).toBe(404);
    expect(
      (await api.objects()).filter((key) => key.includes(documentId) || key.includes(id)),
    ).toEqual([]);
    const { db } = api.resources.database;
    expect(await db.select().from(tasks).where(eq(tasks.ingestionId, id))).toMatchObject([
      { state: 'cancelled' },
    ]);
  });
});
