import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestEngine } from '../../test/kit/engine.ts';
import { inTransaction } from '../db/index.ts';
import { makeMessages } from '../db/webhook-messages.ts';
import { done } from '../engine/pipeline/outcome.ts';
import { definePipeline, end, step } from '../engine/pipeline/pipeline.ts';
import { defineStage } from '../engine/pipeline/stage.ts';
import { newId } from '../lib/ids.ts';
import { DAY, SECOND } from '../lib/time.ts';
import { dropOldEvents, purge } from './purge-history.ts';

const claim = defineStage({ run: async () => done('on') });
const keepMs = 90 * DAY;
let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  engine = await openTestEngine(definePipeline({ claim: step(claim, { on: end }) }));
});
afterAll(() => engine.close());

const query = (text: string, values: unknown[] = []) =>
  engine.resources.database.pool.query(text, values);
const addEvent = (at: string) =>
  query(`insert into events (type, at, data) values ('TEST', ${at}, '{}')`);
/** Events become readable once no older transaction is open anywhere on the server. */
const readAll = () =>
  vi.waitFor(
    async () => {
      await makeMessages(engine.resources.database.db, 10_000);
      const unread =
        'select from events e, event_readers r where (e.xid, e.id) > (r.xid, r.event_id)';
      expect((await query(unread)).rowCount).toBe(0);
    },
    { timeout: 25 * SECOND, interval: 100 },
  );
const daysOf = async () =>
  (
    await query("select tableoid::regclass::text as day from events where type = 'TEST' order by 1")
  ).rows.map(({ day }) => day);

test('days of events go when they are old and read, and nobody waits for that', async () => {
  const { pool } = engine.resources.database;
  for (const day of ['20200101', '20200102'])
    await query(
      `create table events_${day} partition of events for values from ('${day} 00:00Z')
         to ('${day.slice(0, 7)}${Number(day.at(-1)) + 1} 00:00Z')`,
    );
  await addEvent("'2020-01-01 12:00Z'");
  await addEvent("'2020-01-02 12:00Z'");
  await addEvent('now()');
  expect(await dropOldEvents(pool, keepMs), 'unread').toBe(0);
  await readAll();
  await inTransaction(pool, async (client) => {
    await client.query('select from events_20200101');
    expect(await dropOldEvents(pool, keepMs), 'in use').toBe(0);
  });
  expect(await daysOf()).toHaveLength(3);
  expect(await dropOldEvents(pool, keepMs)).toBe(2);
  expect(await daysOf()).toEqual(['events_default']);
  expect(await dropOldEvents(pool, keepMs)).toBe(0);
});

test('events without a partition go likewise', async () => {
  const { pool } = engine.resources.database;
  const before = (await daysOf()).length;
  await addEvent("now() - interval '91 days'");
  expect(await purge(pool, 'unpartitioned', keepMs), 'unread').toBe(0);
  await readAll();
  expect(await purge(pool, 'unpartitioned', keepMs)).toBe(1);
  expect(await daysOf()).toHaveLength(before);
});

test('of webhook messages those go that arrived long ago', async () => {
  const { pool } = engine.resources.database;
  const webhookId = newId();
  await query(
    "insert into webhooks (id, url, secret) values ($1, 'https://example.com', 'sealed')",
    [webhookId],
  );
  await query(
    `insert into webhook_messages (id, webhook_id, event_id, type, body, state, ended_at)
     select gen_random_uuid(), $1, row_number() over (), m.name, '{}', m.state, now() - m.age
       from (values ('old', 'delivered', interval '91 days', 2500), ('recent', 'delivered', interval '89 days', 1),
                    ('dead', 'dead', interval '91 days', 1), ('waiting', 'waiting', null, 1))
              as m(name, state, age, count), generate_series(1, m.count)`,
    [webhookId],
  );
  expect(await purge(pool, 'delivered', keepMs)).toBe(2500);
  const { rows } = await query('select type from webhook_messages order by 1');
  expect(rows.map(({ type }) => type)).toEqual(['dead', 'recent', 'waiting']);
});
