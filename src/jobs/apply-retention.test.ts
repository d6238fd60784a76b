import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../../test/kit/api.ts';
import { drain } from '../../test/kit/drain.ts';
import { checkInvariants } from '../engine/invariants.ts';
import { newId } from '../lib/ids.ts';
import { reprocess } from '../lifecycle/reprocess.ts';
import { storageKeys } from '../storage/keys.ts';
import { removeAged } from './apply-retention.ts';
import { purgeNext } from './purge-runs.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) =>
  api.resources.database.pool.query(text, values);
const ended = async (count: number) => {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push((await api.admit(newId())).documentId);
  await drain(api.runnerWith());
  return ids;
};
const makeOld = (ids: string[]) =>
  query("update documents set created_at = now() - interval '91 days' where id = any($1)", [ids]);
const apply = (limit = 1000) =>
  removeAged(api.resources, { workspaceId: api.workspaceId, days: 90 }, limit);
const left = async (ids: string[]) =>
  (await query('select id from documents where id = any($1) order by id', [ids])).rows.map(
    ({ id }) => id,
  );

test('what is older than the retention period goes, with rows, files and events', async () => {
  const [old = '', young = ''] = await ended(2);
  const { storageKey } = await api.documentOf(old);
  const { id: run } = await api.ingestionOf(old);
  const artifact = storageKeys.transcription(run, 1);
  await api.resources.storage.put(artifact, Buffer.from('text'));
  await query("update event_readers set xid = '999999999'");
  await makeOld([old]);
  expect(await apply()).toBe(1);
  expect(await left([old, young])).toEqual([young]);
  for (const table of [
    'ingestions where id',
    'tasks where ingestion_id',
    'events where ingestion_id',
  ])
    expect((await query(`select from ${table} = $1`, [run])).rowCount).toBe(0);
  for (const key of [storageKey, artifact])
    expect(await api.resources.storage.head(key)).toBeUndefined();
  const applied = await query("select data from events where type = 'RETENTION_APPLIED'");
  expect(applied.rows).toMatchObject([{ data: { documents: 1, workspaceId: api.workspaceId } }]);
});

test('passes are bounded, and the next continues', async () => {
  const ids = await ended(5);
  await makeOld(ids);
  // The first document of the workspace is young, and comes before these.
  await query('update documents set created_at = now() - $1::interval where created_at > $2', [
    '91 days',
    new Date(0),
  ]);
  expect(await apply(4)).toBe(4);
  expect(await apply(4)).toBe(2);
  expect(await left(ids)).toEqual([]);
});

test('containers go after their entries, and documents in progress stay', async () => {
  const [container = '', entry = ''] = await ended(2);
  const { documentId: running } = await api.admit(newId());
  await query('update documents set parent_id = $2, root_id = $2 where id = $1', [
    entry,
    container,
  ]);
  const contents = { seen: 1, documents: 1, duplicate: 0, known: 0, skipped: 0, exception: 0 };
  await query('update documents set contents = $2 where id = $1', [container, contents]);
  await makeOld([container, entry, running]);
  expect(await apply()).toBe(1);
  expect(await left([container, entry])).toEqual([container]);
  const broken = (await checkInvariants(api.resources.database.pool)).map((each) => each.invariant);
  expect(broken).not.toContain('containers-add-up');
  expect(await apply()).toBe(1);
  expect(await left([container, entry, running])).toEqual([running]);
  await drain(api.runnerWith());
});

test('tasks of ended runs and replaced runs go with history, and the latest run stays', async () => {
  const [id = ''] = await ended(1);
  const first = await api.ingestionOf(id);
  const { ingestionId } = await reprocess(api.resources.database.db, id, api.context.intake);
  const { database } = api.resources;
  const options = { keepMs: 0, limit: 1000 };
  expect(await purgeNext(database, 'runs', options)).toBe(0);
  await purgeNext(database, 'tasks', options);
  const tasksOf = async (run: string) =>
    (await query('select from tasks where ingestion_id = $1', [run])).rowCount;
  expect([await tasksOf(first.id), await tasksOf(ingestionId)]).toEqual([0, 1]);
  expect(await purgeNext(database, 'runs', options)).toBe(1);
  await drain(api.runnerWith());
  expect(await api.ingestionOf(id)).toMatchObject({ id: ingestionId, status: 'completed' });
  await purgeNext(database, 'tasks', options);
  expect(await purgeNext(database, 'runs', options)).toBe(0);
});
