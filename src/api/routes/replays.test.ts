import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { drain } from '../../../test/kit/drain.ts';
import { PermanentError } from '../../errors.ts';
import { replayDeadLetters } from '../../jobs/replay-dead-letters.ts';
import { advanceReplay } from '../../lifecycle/advance-replay.ts';
import { startReplay } from '../../lifecycle/replay-all.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ schedule: { 'replay-dead-letters': replayDeadLetters } });
});
afterAll(() => api.close());

const state = z.looseObject({
  id: z.string(),
  state: z.string(),
  total: z.number(),
  handled: z.number(),
  outcomes: z.record(z.string(), z.number()),
  href: z.string(),
});
const operator = () => ({
  key: api.keys.operator,
  headers: { 'content-type': 'application/json' },
});
const ask = (body: object) =>
  api.call('/admin/dlq/replay-all', { method: 'POST', body: JSON.stringify(body), ...operator() });
const start = async (body: object) => state.parse(await (await ask(body)).json());
const look = async ({ href }: { href: string }) =>
  state.parse(await (await api.call(href, operator())).json());
const pass = () => api.context.jobs.runOnce('replay-dead-letters');

let text = '';
/** Documents that failed with one message, unique per call, and that would succeed now. */
async function dead(count: number): Promise<void> {
  text = `kind ${Math.random()}`;
  let broken = true;
  for (let i = 0; i < count; i += 1) {
    const name = `${text} ${i}.pdf`;
    api.behaviours.set(name, async () => {
      if (broken) throw new PermanentError('INVALID_FILE', text);
    });
    await api.admit('text', name);
  }
  await drain(api.runnerWith());
  broken = false;
}
const filters = () => ({ filters: { text } });
const open = async () => {
  const { rows } = await api.resources.database.pool.query<{ count: number }>(
    "select count(*)::int as count from dead_letters where state = 'open' and message = $1",
    [text],
  );
  return rows[0]?.count;
};

beforeEach(() => drain(api.runnerWith()));

test('a few letters are replayed before the answer', async () => {
  await dead(3);
  const answer = await ask(filters());
  expect([answer.status, answer.headers.get('location')]).toEqual([
    202,
    expect.stringMatching(/^\/admin\/dlq\/replays/),
  ]);
  const body = state.parse(await answer.json());
  expect(body).toMatchObject({ state: 'done', total: 3, handled: 3, outcomes: { replayed: 3 } });
  expect(await look(body)).toMatchObject({ state: 'done', finishedAt: expect.any(String) });
});

test('many go on in the background, and two processes at it count every letter once', async () => {
  await dead(60);
  const begun = await start(filters());
  expect(begun).toMatchObject({ state: 'running', total: 60, handled: 50 });
  const { db } = api.resources.database;
  const done = await Promise.all(
    [1, 2, 3].map(() => advanceReplay(db, begun.id, api.context.intake, 50)),
  );
  expect(done.reduce((sum, each) => sum + each)).toBe(10);
  await pass();
  expect(await look(begun)).toMatchObject({
    state: 'done',
    handled: 60,
    outcomes: { replayed: 60 },
  });
  expect(await open()).toBe(0);
});

test('a crash after some letters loses none and counts none twice', async () => {
  await dead(5);
  const { db } = api.resources.database;
  const asked = {
    workspaceId: undefined,
    overrides: {},
    sealedPassword: undefined,
    rate: undefined,
    limit: undefined,
  };
  const id = await startReplay(db, { ...asked, ...filters() });
  const announce = () => Promise.reject(new Error('the process has died'));
  await expect(advanceReplay(db, id, { ...api.context.intake, announce }, 2)).rejects.toThrow(
    'has died',
  );
  const href = `/admin/dlq/replays/${id}`;
  expect(await look({ href })).toMatchObject({ state: 'running', handled: 2 });
  expect(await pass()).toEqual({ handled: 3 });
  expect(await look({ href })).toMatchObject({
    state: 'done',
    handled: 5,
    outcomes: { replayed: 5 },
  });
});

test('a rate begins only what is soon due', async () => {
  await dead(4);
  const begun = await start({ ...filters(), rate: 0.02 });
  // One every fifty seconds: the third is more than a minute away.
  expect(begun).toMatchObject({ state: 'running', handled: 2 });
  expect(await pass()).toEqual({ handled: 0 });
  const { rows } = await api.resources.database.pool.query(
    `select t.announced_at is null as quiet, t.not_before > now() + interval '30 seconds' as later
       from tasks t join dead_letters d on d.replayed_as = t.ingestion_id where d.message = $1 order by 2`,
    [text],
  );
  expect(rows).toEqual([
    { quiet: false, later: false },
    { quiet: true, later: true },
  ]);
  await api.resources.database.pool.query(
    "update replays set created_at = created_at - interval '1 hour' where id = $1",
    [begun.id],
  );
  expect(await pass()).toEqual({ handled: 2 });
  expect(await look(begun)).toMatchObject({ state: 'done', handled: 4 });
});

test('a replay can be stopped, and forgets its password', async () => {
  await dead(3);
  const begun = await start({ ...filters(), rate: 0.001, overrides: { password: 'open sesame' } });
  const sealed = async () => {
    const { rows } = await api.resources.database.pool.query(
      'select sealed_password from replays where id = $1',
      [begun.id],
    );
    return rows[0]?.sealed_password;
  };
  expect(JSON.stringify(begun)).not.toMatch(/sesame|sealed/);
  expect(await sealed()).toMatch(/^v1\./);
  const stop = () => api.call(begun.href, { method: 'DELETE', key: api.keys.operator });
  expect([(await stop()).status, (await stop()).status]).toEqual([204, 204]);
  expect(await pass()).toEqual({ handled: 0 });
  expect(await look(begun)).toMatchObject({ state: 'cancelled', handled: 1 });
  expect(await sealed()).toBeNull();
  expect(await open()).toBe(2);
});

test('a letter that cannot be replayed keeps no other from it', async () => {
  await dead(3);
  const begun = await start({ ...filters(), overrides: { fromStage: 'claim' } });
  expect(begun).toMatchObject({ state: 'done', outcomes: { replayed: 3 } });
  await dead(2);
  const { pool } = api.resources.database;
  await pool.query(
    'alter table ingestions add constraint once check (overrides <> $${"timeoutMs": 5000}$$)',
  );
  const failing = await start({ ...filters(), overrides: { timeoutMs: 5000 } });
  await pool.query('alter table ingestions drop constraint once');
  expect(failing).toMatchObject({ state: 'done', outcomes: { replayed: 0, refused: 2 } });
  expect(failing.reasons).toHaveLength(1);
});
