import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { countersTable, countingPipeline } from '../../../test/kit/counting-pipeline.ts';
import { drain } from '../../../test/kit/drain.ts';
import { insertTask } from '../../engine/task/effects.ts';
import { newId } from '../../lib/ids.ts';
import { HOUR } from '../../lib/time.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ pipeline: countingPipeline });
  await api.resources.database.pool.query(countersTable);
});
afterAll(() => api.close());

async function makeTask(target: number) {
  const { db, pool } = api.resources.database;
  const id = newId();
  await pool.query('insert into counters (id, target) values ($1, $2)', [id, target]);
  const subject = { kind: 'counter', id, workspaceId: api.workspaceId };
  return { id, ...(await insertTask(db, { subject, stage: 'count', giveUpMs: HOUR })) };
}

const answer = z.looseObject({
  deadLetters: z.array(z.looseObject({ id: z.string() })).default([]),
  replayedAs: z.string().optional(),
  href: z.string().optional(),
});

const call = async (path: string, { key = api.keys.operator, method = 'GET' } = {}) => {
  const response = await api.call(path, { key, method });
  return { status: response.status, body: answer.parse(await response.json()) };
};

test('a task of another kind of work says what it waits for', async () => {
  const { id, taskId } = await makeTask(1);
  expect(await call(`/admin/tasks/${taskId}`)).toMatchObject({
    status: 200,
    body: {
      subject: { kind: 'counter', id },
      documentId: null,
      state: 'ready',
      why: { reason: 'no-worker', stage: 'count' },
    },
  });
  await drain(api.runnerWith());
  const { body } = await call(`/admin/tasks/${taskId}`);
  expect(body).toMatchObject({ state: 'done', why: { reason: 'completed' } });
});

test('its dead letter is listed and replayed through the API', async () => {
  const { id, taskId } = await makeTask(-1);
  await drain(api.runnerWith());
  expect((await call(`/admin/tasks/${taskId}`)).body).toMatchObject({
    state: 'dead',
    why: { reason: 'failed' },
  });
  const { body } = await call('/admin/dlq?stage=count');
  expect(body.deadLetters).toMatchObject([{ subject: { kind: 'counter', id }, documentId: null }]);
  const path = `/admin/dlq/${body.deadLetters[0]?.id}/replay`;
  const { status, body: replayed } = await call(path, { method: 'POST' });
  expect(status).toBe(202);
  const href = `/admin/tasks/${replayed.replayedAs}`;
  expect(replayed).toMatchObject({ documentId: null, href });
  expect((await call(href)).body).toMatchObject({ subject: { id }, state: 'ready' });
});

test('only operators of its workspace see it', async () => {
  const { taskId } = await makeTask(1);
  expect((await call(`/admin/tasks/${taskId}`, { key: api.keys.stranger })).status).toBe(404);
  expect((await call(`/admin/tasks/${taskId}`, { key: api.keys.user })).status).toBe(403);
  expect((await call(`/admin/tasks/${newId()}`)).status).toBe(404);
});
