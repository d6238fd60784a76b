import type { Router } from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { openSubjects } from '../../../test/kit/subjects.ts';
import { newKeyText, type Role, storeKey } from '../../db/api-keys.ts';
import { ensureWorkspace } from '../../db/workspaces.ts';
import { boardPath } from '../board/index.ts';
import type { Access } from '../middleware/authenticate.ts';
import { mounts } from '../routes/index.ts';
import { toOpenApi } from './document.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations/index.ts';
import { problemSchema } from './schemas.ts';

const job = { everyMs: 1000, run: async () => ({ seen: 1 }) };
let api: TestApi;
let subjects: Awaited<ReturnType<typeof openSubjects>>;
/** An admin key that is bound to another workspace. */
const stranger = newKeyText();
beforeAll(async () => {
  api = await openTestApi({ schedule: { job } });
  subjects = await openSubjects(api);
  const { db } = api.resources.database;
  const workspaceId = await ensureWorkspace(db, 'other');
  await storeKey(db, stranger, { name: 'admin of another workspace', role: 'admin', workspaceId });
});
afterAll(async () => {
  await api.close();
  await subjects.close();
});

/** For browsers, and not part of the API description. */
const pages = ['GET /login', 'POST /login', 'POST /logout', 'GET /docs', 'GET /assets/{name}'];

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
/** Matches paths that name one resource of a workspace. */
const namesOne = /\{(id|keyId)\}/;
const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`;

test('every route is described in src/api/openapi/operations, and nothing else is', () => {
  const routes = mounts
    .filter(({ path }) => path !== boardPath)
    .flatMap(({ path, routes: all }) =>
      all.flatMap((each) =>
        routesOf(path, each({ ...api.context, closing: new AbortController().signal })),
      ),
    );
  expect(routes.filter((route) => !pages.includes(route)).toSorted()).toEqual(
    operations.map(nameOf).toSorted(),
  );
});

const content = z.record(
  z.string(),
  z.object({ schema: z.looseObject({ $ref: z.string().optional() }) }),
);
const describedOperation = z.looseObject({
  operationId: z.string(),
  requestBody: z.looseObject({ content }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: content.optional() })),
});
const describedApi = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), describedOperation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})) }),
});
const fetchDescription = async () =>
  describedApi.parse(await (await fetch(`${api.url}/openapi.json`)).json());

test('the description is OpenAPI 3.1 in itself consistent', async () => {
  const document = await fetchDescription();
  expect(Object.values(document.paths).flatMap(Object.keys)).toHaveLength(operations.length);
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference);
  const known = Object.keys(document.components.schemas).map(
    (name) => `#/components/schemas/${name}`,
  );
  expect([...new Set(references)].toSorted()).toEqual(known.toSorted());
  expect(document).toMatchObject({
    paths: {
      '/v1/documents': {
        get: {
          parameters: expect.arrayContaining([
            expect.objectContaining({ name: 'needsReview', in: 'query' }),
          ]),
        },
      },
    },
  });
});

test('every operation has a name of its own', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)*$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every JSON body and answer is a named schema', async () => {
  const { paths } = await fetchDescription();
  const all = Object.values(paths).flatMap((methods) => Object.values(methods));
  const unnamed = all.filter(({ requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].some((part) =>
      Object.entries(part?.content ?? {}).some(
        ([type, { schema }]) => /[/+]json$/.test(type) && schema.$ref === undefined,
      ),
    ),
  );
  expect(unnamed.map(({ operationId }) => operationId)).toEqual([]);
  expect(() => toOpenApi([unnamedAnswer])).toThrow('has no name');
});

const unnamedAnswer: Operation = {
  operationId: 'getThing',
  method: 'get',
  path: '/v1/things',
  tag: 'things',
  summary: 'Get a thing',
  access: 'user',
  answers: { 200: { description: 'The thing', schema: z.object({}) } },
};

/** Values for `{name}`, by part of the path. */
const names = [
  ['/artifacts/', 'original'],
  ['/jobs/', 'job'],
  ['/schemas/', 'invoice'],
] as const;

async function request(operation: Operation, key: string | undefined): Promise<Response> {
  const { method, path, body, uploads } = operation;
  const id = namesOne.test(path) ? await subjects.idFor(path) : '';
  const filled = path
    .replace(namesOne, id)
    .replace('{page}', '1')
    .replace('{name}', names.find(([part]) => path.includes(part))?.[1] ?? '');
  const headers: Record<string, string> = {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(body && { 'content-type': 'application/json' }),
    ...(operation.headers?.['If-Match'] && { 'if-match': '"0"' }),
  };
  const sent = body
    ? JSON.stringify(await subjects.bodyFor(nameOf(operation)))
    : uploads
      ? 'bytes'
      : undefined;
  const init = { method: method.toUpperCase(), headers, redirect: 'manual' } as const;
  return fetch(`${api.url}${filled}${uploads ? '?name=a.txt' : ''}`, {
    ...init,
    ...(sent && { body: sent }),
  });
}

/** Whether a body is empty. Reads only the first chunk, because event streams are endless. */
async function isEmpty({ body }: Response): Promise<boolean> {
  const reader = body?.getReader();
  const beginning = await reader?.read();
  await reader?.cancel();
  return beginning?.value === undefined;
}

const below = {
  open: [],
  user: [],
  operator: ['user'],
  admin: ['user', 'operator'],
} as const satisfies Record<Access, Role[]>;
const named = operations.map((operation) => ({ name: nameOf(operation), operation }));

describe('as described', () => {
  test.each(named)('$name answers', async ({ operation }) => {
    const response = await request(
      operation,
      operation.access === 'open' ? undefined : api.keys[operation.access],
    );
    const answer = operation.answers[response.status];
    expect([response.status, answer !== undefined]).toEqual([response.status, true]);
    expect(response.status).toBeLessThan(400);
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    if (isJson)
      expect(answer?.schema?.safeParse(await response.json())).toMatchObject({ success: true });
    else expect(await isEmpty(response)).toBe(answer?.mediaType === undefined);
  });

  test.each(named.filter(({ operation: { access } }) => access !== 'open'))(
    '$name is closed to those without a key, and to those below its role',
    async ({ operation }) => {
      const without = await request(operation, undefined);
      expect(without.status).toBe(401);
      expect(problemSchema.safeParse(await without.json())).toMatchObject({ success: true });
      for (const role of below[operation.access])
        expect((await request(operation, api.keys[role])).status).toBe(403);
    },
  );

  test.each(named.filter(({ operation: { path } }) => namesOne.test(path)))(
    '$name finds nothing of another workspace',
    async ({ operation }) => {
      const response = await request(operation, stranger);
      expect(response.status).toBe(404);
      expect(problemSchema.safeParse(await response.json())).toMatchObject({ success: true });
    },
  );
});

/** Lists whose items have an endpoint of their own. */
const lists = operations
  .filter(
    ({ method, path }) =>
      method === 'get' && operations.some((one) => one.path.match(`^${path}/{(id|keyId)}$`)),
  )
  .map(({ path, query }) => (query?.shape.limit ? [path, '?limit=100'] : [path, '']));

test.each(lists)('GET %s lists nothing of another workspace', async (path, query) => {
  const id = await subjects.idFor(`${path}/`);
  const listed = async (key: string) => (await api.call(`${path}${query}`, { key })).text();
  expect(await listed(api.keys.admin)).toContain(id);
  expect(await listed(stranger)).not.toContain(id);
});

test('whoever names a batch or destination of another workspace sees nothing of it', async () => {
  const batchId = await subjects.idFor('/v1/batches/');
  await api.call(`/v1/batches/${batchId}/documents?name=a.txt`, {
    key: api.keys.admin,
    method: 'POST',
    body: 'text',
  });
  const delivery = await api.call(`/v1/deliveries/${await subjects.idFor('/v1/deliveries/')}`, {
    key: api.keys.admin,
  });
  const { destinationId } = z
    .looseObject({ destinationId: z.string() })
    .parse(await delivery.json());
  for (const path of [
    `/v1/documents?batchId=${batchId}`,
    `/v1/deliveries?destinationId=${destinationId}`,
  ]) {
    const [own, others] = await Promise.all(
      [api.keys.admin, stranger].map((key) => api.call(path, { key })),
    );
    expect(await own?.text()).toContain(api.workspaceId);
    expect(await others?.text()).not.toContain(api.workspaceId);
  }
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
