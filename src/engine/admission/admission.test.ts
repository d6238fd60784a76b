import { afterAll, describe, expect, test } from 'vitest';
import { openTestBatches } from '../../../test/kit/batches.ts';
import { drain } from '../../../test/kit/drain.ts';
import { noChild } from '../../../test/kit/no-child.ts';
import { makeActiveBatch, makeDocuments, makeWorkspace } from '../../../test/kit/rows.ts';
import { fillWorkspaces } from '../../jobs/batch-monitor.ts';
import { cancelIngestion } from '../task/cancel.ts';
import { runTask } from '../task/executor.ts';

const kit = await openTestBatches();
const runner = kit.runnerWith();
afterAll(() => kit.close());

const count = async (sql: string, ...values: unknown[]) =>
  Number((await kit.pool.query<{ count: string }>(sql, values)).rows[0]?.count);
const live = (workspaceId: string) =>
  count(
    "select count(*) from tasks t join ingestions i on i.id = t.ingestion_id where i.workspace_id = $1 and state in ('ready', 'running')",
    workspaceId,
  );
const completed = (workspaceId: string) =>
  count(
    "select count(*) from ingestions where workspace_id = $1 and status = 'completed'",
    workspaceId,
  );

/** Simulates a worker that takes jobs from the head of a queue, twenty at a time. */
async function workOn(): Promise<void> {
  const { rows } = await kit.pool.query<{ id: string; epoch: number; stage: string }>(
    "select id, epoch, stage from tasks where state = 'ready' order by announced_at, id limit 20",
  );
  await Promise.all(
    rows.map(({ id, epoch, stage }) =>
      runTask(runner, stage, { taskId: id, epoch }, { inChild: noChild }),
    ),
  );
}

describe('the window of a workspace', () => {
  test('holds plain uploads back as well, and fills up as documents end', async () => {
    await kit.setWindow(3);
    for (let i = 0; i < 10; i++) await kit.add(undefined, `${i}.txt`);
    expect(await live(kit.workspaceId)).toBe(3);
    let most = 0;
    while ((await completed(kit.workspaceId)) < 10) {
      await workOn();
      most = Math.max(most, await live(kit.workspaceId));
    }
    expect(most).toBe(3);
    expect(await live(kit.workspaceId)).toBe(0);
  });

  test('is never overfull when many come at once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, i) => kit.add(undefined, `many-${i}.txt`)));
    expect(await live(kit.workspaceId)).toBe(3);
    await drain(runner);
    expect(await completed(kit.workspaceId)).toBe(30);
  });

  test('that was widened is filled by the monitor; one that was narrowed empties first', async () => {
    const workspaceId = await makeWorkspace(kit.pool, 0);
    await makeDocuments(kit.pool, { workspaceId, count: 10 });
    expect(await fillWorkspaces(kit.db, kit.intake)).toBe(0);
    await kit.setWindow(8, workspaceId);
    expect(await fillWorkspaces(kit.db, kit.intake)).toBe(8);
    await kit.setWindow(2, workspaceId);
    while ((await completed(workspaceId)) < 6) await workOn();
    expect(await live(workspaceId)).toBeLessThanOrEqual(2);
    await drain(runner);
    expect(await completed(workspaceId)).toBe(10);
  });

  test('gives the place of a cancelled document to the next', async () => {
    const workspaceId = await makeWorkspace(kit.pool, 1);
    const batchId = await makeActiveBatch(kit.pool, workspaceId);
    const [first = '', second = '', third = ''] = await makeDocuments(kit.pool, {
      workspaceId,
      batchId,
      count: 3,
    });
    await fillWorkspaces(kit.db, kit.intake);
    const cancel = async (documentId: string) => {
      const { id } = await kit.ingestionOf(documentId);
      return kit.db.transaction((tx) => cancelIngestion(tx, id, kit.intake));
    };
    // Cancelling the waiting document frees no slot; cancelling the running one does.
    expect(await cancel(second)).toEqual([]);
    expect(await cancel(first)).toEqual([
      {
        taskId: (await kit.taskOf(third)).id,
        epoch: 0,
        stage: 'claim',
        lane: 'small',
        workspaceId,
      },
    ]);
    expect(await cancel(first)).toBeUndefined();
    await drain(runner);
    expect(await kit.find(batchId)).toMatchObject({
      state: 'completed',
      completed: 1,
      cancelled: 2,
    });
  });
});

describe('a window that a batch and single documents share', () => {
  /**
   * Repeatedly ends one document of either kind and adds another single one, so that one always
   * waits.
   */
  const streaming = async (window: number, batchSize: number) => {
    const workspaceId = await makeWorkspace(kit.pool, window);
    const batchId = await makeActiveBatch(kit.pool, workspaceId);
    await makeDocuments(kit.pool, { workspaceId, count: window });
    await makeDocuments(kit.pool, { workspaceId, batchId, count: batchSize });
    await fillWorkspaces(kit.db, kit.intake);
    const step = async () => {
      await makeDocuments(kit.pool, { workspaceId, count: 1 });
      const { rows } = await kit.pool.query<{ id: string; epoch: number; stage: string }>(
        `select t.id, t.epoch, t.stage from tasks t join ingestions i on i.id = t.ingestion_id
          where i.workspace_id = $1 and t.state = 'ready' order by i.admitted_at, t.id limit 1`,
        [workspaceId],
      );
      for (const { id, epoch, stage } of rows)
        await runTask(runner, stage, { taskId: id, epoch }, { inChild: noChild });
    };
    return { workspaceId, batchId, step };
  };

  test.each([1, 2, 5])(
    'of %i: a steady stream of single documents does not starve the batch',
    async (window) => {
      const batchSize = 12;
      const { batchId, step } = await streaming(window, batchSize);
      // Each document has two stages, and at the latest every second document of the batch starts
      // once the ones before it have ended.
      for (let i = 0; i < 2 * (2 * batchSize + window); i++) await step();
      expect(await kit.find(batchId)).toMatchObject({ state: 'completed', completed: batchSize });
    },
  );

  test('a batch of thousands does not starve a single document', async () => {
    const workspaceId = await makeWorkspace(kit.pool, 10);
    const batchId = await makeActiveBatch(kit.pool, workspaceId);
    await makeDocuments(kit.pool, { workspaceId, batchId, count: 2000 });
    await fillWorkspaces(kit.db, kit.intake);
    const [single = ''] = await makeDocuments(kit.pool, { workspaceId, count: 1 });
    while ((await kit.ingestionOf(single)).status === 'in-progress') await workOn();
    expect((await kit.find(batchId)).completed).toBeLessThanOrEqual(30);
  });

  test('is left to one of the two while the other has nothing waiting', async () => {
    const workspaceId = await makeWorkspace(kit.pool, 6);
    const batchId = await makeActiveBatch(kit.pool, workspaceId);
    await makeDocuments(kit.pool, { workspaceId, batchId, count: 20 });
    expect(await fillWorkspaces(kit.db, kit.intake)).toBe(6);
    await makeDocuments(kit.pool, { workspaceId, count: 10 });
    await kit.setWindow(10, workspaceId);
    expect(await fillWorkspaces(kit.db, kit.intake)).toBe(4);
    const { rows } = await kit.pool.query(
      'select count(waits_for)::int as batched, count(*)::int as total from ingestions where workspace_id = $1 and admitted_at is not null',
      [workspaceId],
    );
    expect(rows).toEqual([{ batched: 6, total: 10 }]);
  });
});

test('ten documents of one workspace do not wait for the ten thousand of another', async () => {
  const crowded = await makeWorkspace(kit.pool, 50);
  const batchId = await makeActiveBatch(kit.pool, crowded);
  await makeDocuments(kit.pool, { workspaceId: crowded, batchId, count: 10_000 });
  await fillWorkspaces(kit.db, kit.intake);
  const quiet = await makeWorkspace(kit.pool, 50);
  await makeDocuments(kit.pool, { workspaceId: quiet, count: 10 });
  await fillWorkspaces(kit.db, kit.intake);
  expect(await live(crowded)).toBe(50);
  while ((await completed(quiet)) < 10) await workOn();
  expect(await completed(crowded)).toBeLessThan(200);
  expect(await live(crowded)).toBeLessThanOrEqual(50);
});

test('a document that is cancelled while its turn comes has no live task left, however the two meet', async () => {
  for (let round = 0; round < 60; round++) {
    const workspaceId = await makeWorkspace(kit.pool, 1);
    const [running = ''] = await makeDocuments(kit.pool, {
      workspaceId,
      count: 1,
      stage: 'finalize',
    });
    const [waiting = ''] = await makeDocuments(kit.pool, { workspaceId, count: 1 });
    const { id: taskId, epoch } = await kit.taskOf(running);
    const { id } = await kit.ingestionOf(waiting);
    const later = async () => {
      for (let turn = 0; turn < round % 6; turn++) await kit.pool.query('select 1');
      return kit.db.transaction((tx) => cancelIngestion(tx, id, kit.intake));
    };
    const [, hints] = await Promise.all([
      runTask(runner, 'finalize', { taskId, epoch }, { inChild: noChild }),
      later(),
    ]);
    expect(hints).toEqual([]);
    expect(await kit.ingestionOf(waiting)).toMatchObject({ status: 'cancelled' });
    expect(await live(workspaceId)).toBe(0);
  }
}, 60_000);
