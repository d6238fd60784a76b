import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openTestBatches } from '../../../test/kit/batches.ts';
import { makeActiveBatch, makeDocuments, makeWorkspace } from '../../../test/kit/rows.ts';
import { openDatabase } from '../../db/index.ts';
import type { BatchState } from '../../domain/batch.ts';
import type { StartResult } from '../../domain/batch-start.ts';
import { startBatch } from './start.ts';

let kit: Awaited<ReturnType<typeof openTestBatches>>;
beforeAll(async () => {
  kit = await openTestBatches();
});
afterAll(() => kit.close());

const start = (id: string) => startBatch(kit.db, { id }, kit.intake);

/** How to bring a batch into each state, and the expected result of starting it. */
const ways: Record<
  BatchState,
  [leadTo: (id: string, workspaceId: string) => Promise<unknown>, expected: StartResult]
> = {
  open: [async () => undefined, 'continue'],
  queued: [
    async (id, workspaceId) => {
      await makeActiveBatch(kit.pool, workspaceId);
      await kit.start(id);
    },
    'duplicate',
  ],
  active: [(id) => kit.start(id), 'duplicate'],
  redriving: [
    async (id) => {
      await kit.start(id);
      await kit.pool.query("update batches set state = 'redriving' where id = $1", [id]);
    },
    'duplicate',
  ],
  completed: [(id) => kit.finish(id), 'duplicate'],
  paused: [(id) => kit.start(id).then(() => kit.pause(id)), 'incomplete'],
  unbalanced: [(id) => kit.start(id).then(() => kit.finish(id, 3)), 'incomplete'],
  cancelling: [
    async (id, workspaceId) => {
      await makeDocuments(kit.pool, { workspaceId, batchId: id, count: 1 });
      await kit.cancel(id);
    },
    'cancelled',
  ],
  cancelled: [(id) => kit.cancel(id), 'cancelled'],
};

test.each(Object.entries(ways))('a batch that is %s', async (state, [leadTo, expected]) => {
  const workspaceId = await makeWorkspace(kit.pool);
  const { id } = await kit.create({ workspaceId });
  await leadTo(id, workspaceId);
  const before = await kit.find(id);
  expect(before.state).toBe(state);
  expect(await start(id)).toMatchObject({ result: expected, batch: { id } });
  const after = await kit.find(id);
  // A batch that cannot be started stays exactly as it was.
  if (expected === 'continue') expect(after.queuedAt).not.toBeNull();
  else expect(after).toEqual(before);
});

test('without a database nothing is started, and trying again later starts it', async () => {
  const { id } = await kit.create();
  const away = openDatabase({
    url: 'postgres://127.0.0.1:1/none',
    connections: 2,
    onError: () => undefined,
  });
  onTestFinished(() => away.close());
  expect(await startBatch(away.db, { id }, kit.intake)).toMatchObject({ result: 'database-error' });
  expect(await start(id)).toMatchObject({ result: 'continue' });
});
