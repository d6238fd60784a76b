import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestBatches } from '../../../test/kit/batches.ts';
import { noChild } from '../../../test/kit/no-child.ts';
import { makeActiveBatch, makeDocuments, makeWorkspace } from '../../../test/kit/rows.ts';
import { type Database, openDatabase } from '../../db/index.ts';
import { afterEndings } from '../../engine/admission/batch/after-endings.ts';
import { endIngestion } from '../../engine/task/effects.ts';
import { runTask } from '../../engine/task/executor.ts';
import { ConflictError } from '../../errors.ts';
import { recountSuspects } from '../../jobs/batch-monitor.ts';
import { releaseIdle } from '../../jobs/stuck-batches.ts';
import { sweepLapsedLeases } from '../../jobs/sweep-stale-claims.ts';
import { MINUTE } from '../../lib/time.ts';
import { batchActions } from './actions.ts';
import { changeBatch } from './change.ts';

const kit = await openTestBatches();
const runner = kit.runnerWith();
afterAll(() => kit.close());

/** A sealed batch whose only document is about to enter its last stage. */
async function almostDone() {
  const workspaceId = await makeWorkspace(kit.pool);
  const id = await makeActiveBatch(kit.pool, workspaceId);
  const [documentId = ''] = await makeDocuments(kit.pool, {
    workspaceId,
    batchId: id,
    count: 1,
    stage: 'finalize',
  });
  const { id: taskId, epoch } = await kit.taskOf(documentId);
  return {
    id,
    documentId,
    complete: () => runTask(runner, 'finalize', { taskId, epoch }, { inChild: noChild }),
  };
}

test('cancelling a batch while its last document completes: one of the two wins, 200 times', async () => {
  const outcomes = { completed: 0, cancelled: 0 };
  for (let round = 0; round < 200; round++) {
    const { id, documentId, complete } = await almostDone();
    const mode = round % 4 < 2 ? 'full' : 'partial';
    const cancelling = async () => {
      const { state } = await kit.cancel(id, mode);
      if (state === 'cancelling') await kit.push();
    };
    // The order and the gap between them differ by round.
    const later = async () => {
      for (let turn = 0; turn < round % 8; turn++) await kit.pool.query('select 1');
      return cancelling();
    };
    const [, cancel] = await Promise.allSettled([complete(), later()]);
    const batch = await kit.find(id);
    const { status } = await kit.ingestionOf(documentId);
    if (batch.state === 'completed') {
      outcomes.completed += 1;
      expect(cancel).toMatchObject({ status: 'rejected', reason: expect.any(ConflictError) });
      expect(status).toBe('completed');
    } else {
      outcomes.cancelled += 1;
      expect(batch.state).toBe('cancelled');
      expect(cancel).toMatchObject({ status: 'fulfilled' });
    }
    expect(batch).toMatchObject({ open: 0, documents: 1, turnAt: null });
    const ends = (await kit.eventsOfBatch(id)).filter((type) => type === 'LOADER_FINISHED');
    expect(ends).toHaveLength(1);
  }
  expect(outcomes.completed).toBeGreaterThan(0);
  expect(outcomes.cancelled).toBeGreaterThan(0);
}, 120_000);

test('a document that takes its worker down for good is counted by its batch', async () => {
  const { id, documentId } = await almostDone();
  for (let loss = 0; loss < runner.policy.maxAttempts; loss++) {
    const { id: taskId, epoch } = await kit.taskOf(documentId);
    await kit.pool.query('update tasks set not_before = now() where id = $1', [taskId]);
    await runner.take({ taskId, epoch, stage: 'finalize', timeoutMs: MINUTE, alone: true });
    await kit.pool.query(
      "update tasks set lease_until = now() - interval '1 second' where id = $1",
      [taskId],
    );
    const { policy, failSubject } = runner;
    await sweepLapsedLeases(kit.pool, {
      policy,
      failSubject,
      leaseMs: 0,
      admission: kit.intake,
      limit: 100,
    });
  }
  expect(await kit.ingestionOf(documentId)).toMatchObject({ status: 'failed' });
  expect(await kit.find(id)).toMatchObject({ open: 0, failed: 1 });
});

describe('cancelling', () => {
  test('in full stops what runs and drops what waits; in part lets what runs end', async () => {
    await kit.setWindow(2);
    for (const mode of ['full', 'partial'] as const) {
      const { id } = await kit.create();
      for (const name of ['1', '2', '3', '4', '5']) await kit.add(id, name, `${mode}/${name}`);
      await kit.start(id);
      await kit.cancel(id, mode);
      await kit.push();
      await kit.push();
      expect(await kit.find(id)).toMatchObject(
        mode === 'full'
          ? { state: 'cancelled', cancelled: 5 }
          : { state: 'cancelling', cancelled: 3, open: 2 },
      );
      await kit.settle();
      expect(await kit.find(id)).toMatchObject({
        state: 'cancelled',
        completed: mode === 'full' ? 0 : 2,
        open: 0,
      });
    }
    await kit.setWindow(200);
  });
});

describe('batches of one workspace', () => {
  let replicas: Database[];
  beforeAll(() => {
    replicas = Array.from({ length: 4 }, () =>
      openDatabase({ url: kit.url, connections: 3, onError: () => undefined }),
    );
  });
  afterAll(() => Promise.all(replicas.map((replica) => replica.close())));

  test('started at once by four servers run one after the other, in order', async () => {
    const priorities = [50, 10, 50, 0, 90];
    const made: { id: string; priority: number }[] = [];
    for (const [i, priority] of priorities.entries()) {
      const { id } = await kit.create({ priority });
      for (const name of ['a', 'b', 'c']) await kit.add(id, name, `order/${i}/${name}`);
      made.push({ id, priority });
    }
    // Another batch has the turn while they queue up.
    const holder = await kit.create();
    await kit.start(holder.id);
    await Promise.all(
      made.map(({ id }, i) =>
        changeBatch(
          (replicas[i % 4] ?? kit.resources.database).db,
          { id },
          kit.intake,
          batchActions.start,
        ),
      ),
    );
    await Promise.all(made.map(({ id }) => kit.finish(id)));
    expect(await kit.liveTasks()).toBe(0);
    await kit.finish(holder.id);
    await Promise.all([kit.settle(), kit.settle()]);

    const { rows } = await kit.pool.query<{ batch_id: string; type: string }>(
      "select batch_id, type from events where batch_id = any($1) and type in ('JOB_STARTED', 'LOADER_FINISHED') order by id",
      [made.map(({ id }) => id)],
    );
    const expected = [3, 1, 0, 2, 4].flatMap((i) => [
      { batch_id: made[i]?.id, type: 'JOB_STARTED' },
      { batch_id: made[i]?.id, type: 'LOADER_FINISHED' },
    ]);
    expect(rows).toEqual(expected);
  });

  test('change the turn in one commit: a process that dies before it has changed nothing', async () => {
    const [first, second] = [await kit.create(), await kit.create()];
    const { documentId } = await kit.add(first.id, 'dying.txt');
    for (const { id } of [first, second]) await kit.start(id);
    await kit.finish(first.id);
    const { id } = await kit.ingestionOf(documentId);
    const dying = kit.db.transaction(async (tx) => {
      await endIngestion(tx, id, { status: 'completed' });
      await afterEndings(tx, [id], kit.intake);
      throw new Error('killed');
    });
    await expect(dying).rejects.toThrow('killed');
    expect(await kit.find(first.id)).toMatchObject({ state: 'active', open: 1 });
    expect(await kit.find(second.id)).toMatchObject({ state: 'queued' });
    await kit.settle();
    expect(await kit.find(first.id)).toMatchObject({ state: 'completed' });
    expect(await kit.find(second.id)).toMatchObject({ state: 'active' });
    await kit.finish(second.id);
  });

  test('are kept waiting by a stuck one for the grace period only, and the release is on record', async () => {
    const [stuck, waiting] = [await kit.create(), await kit.create()];
    for (const { id } of [stuck, waiting]) await kit.start(id);
    expect(await releaseIdle(kit.db, kit.intake, MINUTE)).toBe(0);
    await kit.pool.query(
      "update batches set progress_at = now() - interval '2 minutes' where id = $1",
      [stuck.id],
    );
    expect(await releaseIdle(kit.db, kit.intake, MINUTE)).toBe(1);
    expect(await kit.find(stuck.id)).toMatchObject({ state: 'paused', turnAt: null });
    expect(await kit.eventsOfBatch(stuck.id)).toContain('BATCH_RELEASED');
    expect(await kit.find(waiting.id)).toMatchObject({ state: 'active' });
    await kit.finish(waiting.id);
    await kit.cancel(stuck.id);
  });

  test('whose counters are wrong are counted anew, and then end', async () => {
    const { id } = await kit.create();
    const { documentId } = await kit.add(id, 'uncounted.txt');
    await kit.start(id);
    await kit.finish(id);
    expect(await recountSuspects(kit.db, kit.intake)).toBe(0);
    // Ended without updating the counters of the batch.
    const { id: ingestionId } = await kit.ingestionOf(documentId);
    await kit.db.transaction((tx) => endIngestion(tx, ingestionId, { status: 'completed' }));
    expect(await recountSuspects(kit.db, kit.intake)).toBe(1);
    expect(await kit.find(id)).toMatchObject({ state: 'completed', open: 0, completed: 1 });
    expect(await kit.eventsOfBatch(id)).toContain('BATCH_RECOUNTED');
  });

  test('cannot both have the turn, whatever the code does', async () => {
    const { id } = await kit.create();
    await kit.start(id);
    await expect(
      kit.pool.query('update batches set turn_at = now() where id = $1', [(await kit.create()).id]),
    ).rejects.toThrow(/batches_one_turn/);
    await kit.finish(id);
  });
});
