import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestEngine } from '../../test/kit/engine.ts';
import { policy } from '../../test/kit/policy.ts';
import { definePipeline } from '../engine/pipeline/pipeline.ts';
import { ConflictError } from '../errors.ts';
import { newId } from '../lib/ids.ts';
import { findSchema, listTypes, putSchema, retireSchema } from './schemas.ts';
import { ensureWorkspace } from './workspaces.ts';

let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  engine = await openTestEngine(definePipeline({}));
});
afterAll(() => engine.close());

const newWorkspace = () => ensureWorkspace(engine.resources.database.db, newId());
const titled = (title: string) => ({ ...policy, title });

test('changes at once get versions of their own, and the last of them is in force', async () => {
  const { db } = engine.resources.database;
  const workspaceId = await newWorkspace();
  const put = await Promise.all(
    Array.from({ length: 5 }, (_, i) => putSchema(db, workspaceId, 'policy', titled(String(i)))),
  );
  expect(put.map(({ schema }) => schema.version).toSorted()).toEqual([1, 2, 3, 4, 5]);
  const last = put.find(({ schema }) => schema.version === 5)?.schema;
  expect(await listTypes(db, workspaceId)).toContainEqual(
    expect.objectContaining({
      name: 'policy',
      version: 5,
      origin: 'own',
      title: last?.definition.title,
    }),
  );
});

test('the same put twice at once is one change', async () => {
  const { db } = engine.resources.database;
  const workspaceId = await newWorkspace();
  const put = await Promise.all([1, 2, 3].map(() => putSchema(db, workspaceId, 'policy', policy)));
  expect(put.filter(({ changed }) => changed)).toHaveLength(1);
  expect((await findSchema(db, workspaceId, 'policy'))?.version).toBe(1);
});

test('fields in another order are another schema', async () => {
  const { db } = engine.resources.database;
  const workspaceId = await newWorkspace();
  await putSchema(db, workspaceId, 'policy', policy);
  const turned = { ...policy, fields: Object.fromEntries(Object.entries(policy.fields).reverse()) };
  expect((await putSchema(db, workspaceId, 'policy', turned)).changed).toBe(true);
  expect((await putSchema(db, workspaceId, 'policy', turned)).changed).toBe(false);
});

test('a workspace has only so many in force', async () => {
  const { db } = engine.resources.database;
  const workspaceId = await newWorkspace();
  for (let i = 0; i < 100; i++) await putSchema(db, workspaceId, `type-${i}`, policy);
  await expect(putSchema(db, workspaceId, 'one-more', policy)).rejects.toThrow(ConflictError);
  expect((await putSchema(db, workspaceId, 'type-0', titled('Changed'))).changed).toBe(true);
  await retireSchema(db, workspaceId, 'type-1');
  expect((await putSchema(db, workspaceId, 'one-more', policy)).changed).toBe(true);
});
