import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../test/kit/api.ts';
import { drain } from '../../test/kit/drain.ts';
import { makeActiveBatch } from '../../test/kit/rows.ts';
import { inTransaction } from '../db/index.ts';
import { setHold } from '../db/legal-holds.ts';
import { isHeld } from '../db/violates.ts';
import { createWorkspace } from '../db/workspaces.ts';
import { newId } from '../lib/ids.ts';
import { remove } from '../lifecycle/remove.ts';
import type { Storage } from '../storage/storage.ts';
import { removeAged } from './apply-retention.ts';
import { dropOldEvents, purge } from './purge-history.ts';
import { purgeNext } from './purge-runs.ts';
import { removeOrphans } from './reconcile-storage.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) =>
  api.resources.database.pool.query(text, values);
const send = (method: string, path: string, body?: object) =>
  api.call(path, {
    method,
    key: api.keys.admin,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
const ended = async () => {
  const { documentId } = await api.admit(newId());
  await drain(api.runnerWith());
  return documentId;
};
const withId = z.looseObject({ id: z.string() });
const hold = async (target: object) =>
  withId.parse(
    await (await send('POST', '/admin/legal-holds', { ...target, reason: 'case 7' })).json(),
  ).id;
const aged = (storage: Storage): Storage => ({
  ...storage,
  async *list(prefix, after) {
    for await (const object of storage.list(prefix, after))
      yield { ...object, modified: new Date(0) };
  },
});

/** Each job that deletes, as if everything was old. */
const runJobs = async () => {
  const { resources } = api;
  const { database } = resources;
  await removeAged(resources, { workspaceId: api.workspaceId, days: 0 }, 1000);
  await purgeNext(database, 'tasks', { keepMs: 0, limit: 1000 });
  await purgeNext(database, 'runs', { keepMs: 0, limit: 1000 });
  await query("update event_readers set xid = '999999999'");
  await dropOldEvents(database.pool, 0);
  await purge(database.pool, 'unpartitioned', 0);
  const options = { graceMs: 0, limit: 1000 };
  await removeOrphans({ ...resources, storage: aged(resources.storage) }, options);
};

const tables = ['tasks', 'dead_letters', 'deliveries', 'ingestions', 'events', 'documents'];
/** What is stored about a document. */
const traces = async (id: string) => {
  const { storageKey } = await api.documentOf(id);
  const counts = await query(
    `select (select count(*)::int from ingestions where document_id = $1) as ingestions,
            (select count(*)::int from tasks t join ingestions i on i.id = t.ingestion_id where document_id = $1) as tasks,
            (select count(*)::int from events e join ingestions i on i.id = e.ingestion_id where document_id = $1) as events`,
    [id],
  );
  return { ...counts.rows[0], bytes: (await api.resources.storage.head(storageKey))?.bytes };
};

describe.each(['document', 'container', 'batch', 'workspace'])('a hold on the %s', (kind) => {
  let [id, holdId, other] = ['', '', ''];
  beforeAll(async () => {
    [id, other] = [await ended(), await ended()];
    const batchId = await makeActiveBatch(api.resources.database.pool, api.workspaceId);
    await query(
      "update batches set state = 'completed', turn_at = null, ended_at = now() where id = $1",
      [batchId],
    );
    await query('update documents set batch_id = $2 where id = $1', [id, batchId]);
    if (kind === 'container')
      await query('update documents set parent_id = $2 where id = $1', [id, other]);
    const targets = {
      document: { documentId: id },
      container: { documentId: other },
      batch: { batchId },
      workspace: { workspaceId: api.workspaceId },
    };
    holdId = await hold(targets[kind as keyof typeof targets]);
  });

  test('is shown', async () => {
    expect(await (await send('GET', `/v1/documents/${id}`)).json()).toMatchObject({
      legalHold: true,
    });
    const whole = await (await send('GET', `/admin/workspaces/${api.workspaceId}`)).json();
    expect(whole).toMatchObject({ legalHold: kind === 'workspace' });
    expect(await (await send('GET', '/admin/legal-holds')).json()).toMatchObject({
      legalHolds: [{ id: holdId, reason: 'case 7', releasedAt: null }],
    });
  });

  test('refuses the deletion of the document with what to do', async () => {
    const before = await traces(id);
    const response = await send('DELETE', `/v1/documents/${id}`);
    expect([response.status, await response.json()]).toMatchObject([
      409,
      { code: 'LEGAL_HOLD', retryable: false, hint: expect.stringContaining('/admin/legal-holds') },
    ]);
    expect(await traces(id)).toEqual(before);
  });

  test('outlasts every job that deletes', async () => {
    const before = await traces(id);
    expect(before).toMatchObject({ ingestions: 1, tasks: 1, bytes: expect.any(Number) });
    await runJobs();
    expect(await traces(id)).toEqual(before);
  });

  test.each([
    [
      'deleting rows',
      async () => {
        const column = { documents: 'id', ingestions: 'document_id' };
        const run = (await api.ingestionOf(id)).id;
        await query(
          `insert into dead_letters (id, task_id, ingestion_id, stage, code, category, message, fingerprint, attempts, payload)
         select gen_random_uuid(), id, ingestion_id, 'claim', 'INTERNAL', 'lost', '', '', 1, '{}' from tasks where ingestion_id = $1`,
          [run],
        );
        const errors = [];
        for (const table of tables.filter((name) => name !== 'deliveries')) {
          const key = column[table as keyof typeof column];
          const statement = `delete from ${table} where ${key ?? 'ingestion_id'} = $1`;
          errors.push(await query(statement, [key ? id : run]).catch((error: unknown) => error));
        }
        return errors;
      },
    ],
    [
      'marking as deleted',
      async () => [
        await query('update documents set deleted_at = now() where id = $1', [id]).catch(
          (error: unknown) => error,
        ),
      ],
    ],
    [
      'moving it away',
      async () => [
        await query('update documents set batch_id = null, storage_key = $2 where id = $1', [
          id,
          'documents/none',
        ]).catch((error: unknown) => error),
      ],
    ],
    [
      'truncating',
      async () => [
        await query('truncate documents cascade').catch((error: unknown) => error),
        await query('truncate events').catch((error: unknown) => error),
      ],
    ],
    [
      'deleting the workspace',
      async () => [
        await query('delete from workspaces where id = $1', [api.workspaceId]).catch(
          (error: unknown) => error,
        ),
      ],
    ],
    [
      'deleting or changing the hold',
      async () => [
        await query('delete from legal_holds').catch((error: unknown) => error),
        await query("update legal_holds set reason = '' where id = $1", [holdId]).catch(
          (error: unknown) => error,
        ),
      ],
    ],
  ])('refuses %s by hand', async (_, attempt) => {
    const before = await traces(id);
    for (const error of await attempt()) expect(isHeld(error)).toBe(true);
    expect(await traces(id)).toEqual(before);
  });

  test('ends with its release, once', async () => {
    const path = `/admin/legal-holds/${holdId}/release`;
    const released = await send('POST', path, { reason: 'closed' });
    expect(await released.json()).toMatchObject({ releaseReason: 'closed' });
    expect((await send('POST', path, { reason: 'closed' })).status).toBe(409);
    expect((await send('DELETE', `/v1/documents/${id}`)).status).toBe(204);
    await query('update documents set parent_id = null where id = $1', [id]);
  });
});

test('a deletion that races with a hold does not win after the hold was set', async () => {
  const id = await ended();
  const { database } = api.resources;
  const { workspaceId } = await api.documentOf(id);
  const deletion = await inTransaction(database.pool, async (client) => {
    await client.query(
      `insert into legal_holds (id, workspace_id, document_id, reason, set_by) values ($1, $2, $3, 'r', 'b')`,
      [newId(), workspaceId, id],
    );
    const removing = remove(api.resources, api.context.intake, id).catch((error: unknown) => error);
    await expect.poll(waitingForLocks, { timeout: 10_000 }).toBe(1);
    // An array: a promise in it is not awaited by the transaction.
    return [removing];
  });
  expect(isHeld(await deletion[0])).toBe(true);
  expect((await api.documentOf(id)).deletedAt).toBeNull();
});

test('a hold waits for a deletion in progress, and does not claim to protect what is gone', async () => {
  const id = await ended();
  const { database } = api.resources;
  const { workspaceId } = await api.documentOf(id);
  let isSet = false;
  const [setting] = await inTransaction(database.pool, async (client) => {
    await client.query('update documents set deleted_at = now() where id = $1', [id]);
    const pending = setHold(database.db, { workspaceId }, { reason: 'r', by: 'b' }).then((made) => {
      isSet = true;
      return made;
    });
    await expect.poll(waitingForLocks, { timeout: 10_000 }).toBe(1);
    expect(isSet).toBe(false);
    return [pending];
  });
  await setting;
  await query(
    "update legal_holds set released_at = now(), released_by = 'b', release_reason = 'r' where released_at is null",
  );
});

test('other workspaces are not affected', async () => {
  const { database } = api.resources;
  const elsewhere = await createWorkspace(database.db, { name: newId() });
  await setHold(database.db, { workspaceId: elsewhere.id }, { reason: 'r', by: 'b' });
  expect((await send('DELETE', `/v1/documents/${await ended()}`)).status).toBe(204);
});

const waitingForLocks = async () =>
  (
    await query(
      `select from pg_locks l join pg_database d on d.oid = l.database
        where not granted and locktype = 'advisory' and d.datname = current_database()`,
    )
  ).rowCount;
