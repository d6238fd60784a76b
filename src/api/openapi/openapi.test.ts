import type { Router } from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { drain } from '../../engine/drain.ts';
import { PermanentError } from '../../errors.ts';
import { saveTranscription } from '../../storage/transcriptions.ts';
import { boardPath } from '../board.ts';
import { mounts } from '../routes/index.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations/index.ts';
import { problemSchema } from './schemas.ts';

const job = { everyMs: 1000, run: async () => ({ seen: 1 }) };
let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ schedule: { job } });
});
afterAll(() => api.close());

/** Pages for people, which are no part of the API. */
const pages = ['GET /login', 'POST /login', 'POST /logout', 'GET /docs'];

const layer = z.object({
  route: z.object({ path: z.string(), methods: z.record(z.string(), z.boolean()) }).optional(),
});
function routesOf(path: string, { stack }: Router): string[] {
  return z
    .array(layer)
    .parse(stack)
    .flatMap(({ route }) =>
      Object.keys(route?.methods ?? {}).map((method) => {
        const full = `${path}${route?.path}`.replace(/^\/\//, '/').replace(/(?<=.)\/$/, '');
        return `${method.toUpperCase()} ${full.replace(/:(\w+)/g, '{$1}')}`;
      }),
    );
}
const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`;

test('every route is described in src/api/openapi/operations, and nothing else is', () => {
  const routes = mounts
    .filter(({ path }) => path !== boardPath)
    .flatMap(({ path, routes: all }) =>
      all.flatMap((each) => routesOf(path, each({ ...api.context, closing: new AbortController().signal }))),
    );
  expect(routes.filter((route) => !pages.includes(route)).toSorted()).toEqual(operations.map(nameOf).toSorted());
});

test('the description is OpenAPI 3.1 in itself consistent', async () => {
  const text = await (await fetch(`${api.url}/openapi.json`)).text();
  const document = z
    .looseObject({ openapi: z.literal('3.1.0'), paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))) })
    .parse(JSON.parse(text));
  expect(Object.values(document.paths).flatMap(Object.keys)).toHaveLength(operations.length);
  for (const [, ref] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) expect(ref).toBe('Problem');
  expect(document).toMatchObject({
    paths: {
      '/v1/documents': {
        get: { parameters: expect.arrayContaining([expect.objectContaining({ name: 'needsReview', in: 'query' })]) },
      },
      '/admin/dlq/replay-all': {
        post: { requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } },
      },
    },
  });
});

/** Something of the right kind for every path that names one. */
async function subjectOf(path: string): Promise<string> {
  const bad = path.startsWith('/admin/dlq/');
  const name = bad ? 'bad.txt' : 'good.txt';
  api.behaviours.set('bad.txt', async () => {
    throw new PermanentError('INVALID_FILE', 'broken');
  });
  const { documentId } = await api.admit('text', name);
  if (path.endsWith('/cancel')) return documentId;
  await drain(api.runnerWith());
  if (bad) return (await api.deadLettersOf(documentId))[0]?.id ?? '';
  await transcribe(documentId);
  return documentId;
}

async function transcribe(documentId: string): Promise<void> {
  const page = {
    number: 1,
    width: 1,
    height: 1,
    text: 'read',
    words: [],
    quality: { score: 1, defects: [] },
    native: true,
  };
  const { storage, database } = api.resources;
  const key = `ingestions/${documentId}/t.gz`;
  const read = { engine: 'test/1', pages: [page], embedded: [], problems: [] };
  const { sha256 } = await saveTranscription(storage, key, 'source', read);
  await database.pool.query(
    'update ingestions set transcription_key = $2, transcription_sha256 = $3 where document_id = $1',
    [documentId, key, sha256],
  );
}

async function request(operation: Operation, key: string | undefined): Promise<Response> {
  const { method, path, body, uploads } = operation;
  const id = path.includes('{id}') ? await subjectOf(path) : '';
  const filled = path.replace('{id}', id).replace('{name}', path.includes('/artifacts/') ? 'original' : 'job');
  const headers: Record<string, string> = {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(body && { 'content-type': 'application/json' }),
  };
  const sent = body ? '{}' : uploads ? 'bytes' : undefined;
  const init = { method: method.toUpperCase(), headers, redirect: 'manual' } as const;
  return fetch(`${api.url}${filled}${uploads ? '?name=a.txt' : ''}`, { ...init, ...(sent && { body: sent }) });
}

const named = operations.map((operation) => ({ name: nameOf(operation), operation }));

describe('as described', () => {
  test.each(named)('$name answers', async ({ operation }) => {
    const response = await request(operation, operation.access === 'open' ? undefined : api.keys.operator);
    const answer = operation.answers[response.status];
    expect([response.status, answer !== undefined]).toEqual([response.status, true]);
    expect(response.status).toBeLessThan(400);
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    if (isJson) expect(answer?.schema?.safeParse(await response.json())).toMatchObject({ success: true });
    else expect((await response.text()) === '').toBe(answer?.mediaType === undefined);
  });

  test.each(named.filter(({ operation: { access } }) => access !== 'open'))(
    '$name is closed to those without a key, and to those below its role',
    async ({ operation }) => {
      const without = await request(operation, undefined);
      expect(without.status).toBe(401);
      expect(problemSchema.safeParse(await without.json())).toMatchObject({ success: true });
      if (operation.access !== 'user') expect((await request(operation, api.keys.user)).status).toBe(403);
    },
  );

  test.each(named.filter(({ operation: { path } }) => path.includes('{id}')))(
    '$name finds nothing of another workspace',
    async ({ operation }) => {
      const response = await request(operation, api.keys.stranger);
      expect(response.status).toBe(404);
      expect(problemSchema.safeParse(await response.json())).toMatchObject({ success: true });
    },
  );
});

test('the page for people names every operation and runs no script', async () => {
  const response = await fetch(`${api.url}/docs`);
  const text = await response.text();
  for (const { path, summary } of operations) {
    expect(text).toContain(`<code>${path}</code>`);
    expect(text).toContain(summary);
  }
  expect(text).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
});
