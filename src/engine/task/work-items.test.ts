import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countersTable, countingPipeline } from '../../../test/kit/counting-pipeline.ts';
import { drain } from '../../../test/kit/drain.ts';
import { openTestEngine } from '../../../test/kit/engine.ts';
import { findTask } from '../../db/tasks.ts';
import { sweepLapsedLeases } from '../../jobs/sweep-stale-claims.ts';
import { entryPoint } from '../../lib/entry-point.ts';
import { newId } from '../../lib/ids.ts';
import { HOUR, SECOND } from '../../lib/time.ts';
import { replay } from '../../lifecycle/replay.ts';
import { groupDeadLetters, listDeadLetters } from '../dead-letters/index.ts';
import { checkInvariants } from '../invariants.ts';
import { insertTask } from './effects.ts';
import { runTask } from './executor.ts';

let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  engine = await openTestEngine(countingPipeline);
  await engine.resources.database.pool.query(countersTable);
});
afterAll(() => engine.close());

const admission = { first: 'claim', giveUpMs: HOUR };

/** A counter with the task that raises it. */
async function makeCounter({ target = 1 } = {}) {
  const { db, pool } = engine.resources.database;
  const id = newId();
  await pool.query('insert into counters (id, target) values ($1, $2)', [id, target]);
  const subject = { kind: 'counter', id, workspaceId: engine.workspaceId };
  const { taskId } = await insertTask(db, { subject, stage: 'count', giveUpMs: HOUR });
  return { id, taskId };
}

async function readCounter(id: string) {
  const { rows } = await engine.resources.database.pool.query<{ value: number; failure: string }>(
    'select value, failure from counters where id = $1',
    [id],
  );
  return rows[0];
}

async function sweep() {
  const { pool } = engine.resources.database;
  await pool.query("update tasks set lease_until = now() - interval '1 s' where state = 'running'");
  const { policy, failSubject } = engine.runnerWith();
  return sweepLapsedLeases(pool, { policy, failSubject, leaseMs: 0, admission, limit: 100 });
}

test('runs beside documents, and its events name it', async () => {
  const { id, taskId } = await makeCounter();
  const { documentId } = await engine.admit();
  await drain(engine.runnerWith());
  expect(await readCounter(id)).toEqual({ value: 1, failure: null });
  expect(await engine.trailOf(documentId)).toEqual(['claim:on']);
  const { rows } = await engine.resources.database.pool.query(
    "select type, ingestion_id, data->'subject' as subject from events where data->>'taskId' = $1 order by id",
    [taskId],
  );
  const subject = { kind: 'counter', id };
  expect(rows).toEqual([
    { type: 'TASK_ADDED', ingestion_id: null, subject },
    { type: 'TASK_FINISHED', ingestion_id: null, subject },
  ]);
});

test.each(['taken', 'performed', 'settled'])(
  'finishes exactly once although its worker is killed when it has %s it',
  {
    timeout: 60 * SECOND,
  },
  async (moment) => {
    const { id, taskId } = await makeCounter();
    const { path, execArgv } = entryPoint(
      new URL('../../../test/kit/kit.ts', import.meta.url).href,
      'counter-worker',
    );
    const args = [engine.url, engine.directory, taskId, `count.${moment}/*=kill`];
    const [, signal] = await once(fork(path, args, { execArgv }), 'exit');
    expect(signal).toBe('SIGKILL');
    expect(await sweep()).toMatchObject({ recovered: moment === 'settled' ? 0 : 1, died: 0 });
    await drain(engine.runnerWith());
    expect(await readCounter(id)).toEqual({ value: 1, failure: null });
    expect(await findTask(engine.resources.database.db, taskId)).toMatchObject({
      state: 'done',
      subject: { kind: 'counter', id },
    });
  },
);

test('a late worker cannot raise it a second time', async () => {
  const { id, taskId } = await makeCounter();
  const late = engine.runnerWith();
  const settle: typeof late.settle = async (settlement) => {
    await sweep();
    await drain(engine.runnerWith());
    return late.settle(settlement);
  };
  expect(await runTask({ ...late, settle }, 'count', { taskId, epoch: 0 }, {})).toBe('lost');
  expect(await readCounter(id)).toEqual({ value: 1, failure: null });
});

test('its failure is a dead letter of its workspace, marks it, and can be replayed once', async () => {
  const { db, pool } = engine.resources.database;
  const { id } = await makeCounter({ target: -1 });
  await drain(engine.runnerWith());
  expect(await readCounter(id)).toEqual({ value: 0, failure: 'INVALID_FILE' });
  const { workspaceId } = engine;
  const [letter] = await listDeadLetters(db, { workspaceId, limit: 10 });
  expect(letter).toMatchObject({
    subject: { kind: 'counter', id },
    workspaceId,
    documentId: null,
    code: 'INVALID_FILE',
  });
  expect(await listDeadLetters(db, { workspaceId: newId(), limit: 10 })).toEqual([]);
  expect(await groupDeadLetters(db, workspaceId, { stage: 'count' }, 10)).toHaveLength(1);
  await pool.query('update counters set target = 1 where id = $1', [id]);
  const again = { id: letter?.id ?? '', workspaceId };
  const [one, two] = await Promise.all([
    replay(db, again, admission),
    replay(db, again, admission),
  ]);
  expect([one.outcome, two.outcome].toSorted()).toEqual(['already-replayed', 'replayed']);
  await drain(engine.runnerWith());
  expect(await readCounter(id)).toEqual({ value: 1, failure: null });
  expect(await checkInvariants(pool)).toEqual([]);
});

test('a loss that is charged until it dies marks the subject as well', async () => {
  const { id, taskId } = await makeCounter();
  const { pool } = engine.resources.database;
  for (let loss = 0; loss < 3; loss++) {
    const { rows } = await pool.query<{ epoch: number }>('select epoch from tasks where id = $1', [
      taskId,
    ]);
    const epoch = rows[0]?.epoch ?? 0;
    await engine
      .runnerWith()
      .take({ taskId, epoch, stage: 'count', timeoutMs: SECOND, alone: true });
    await sweep();
    await pool.query("update tasks set not_before = now() where id = $1 and state = 'ready'", [
      taskId,
    ]);
  }
  expect(await readCounter(id)).toEqual({ value: 0, failure: 'WORKER_LOST' });
});
