import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestBatches } from '../../../test/kit/batches.ts';
import { drain } from '../../../test/kit/drain.ts';
import { makeActiveBatch, makeDocuments, makeWorkspace } from '../../../test/kit/rows.ts';
import { cancelIngestion } from '../../engine/task/cancel.ts';
import { PermanentError } from '../../errors.ts';
import { fillWorkspaces, pushBatches } from '../../jobs/batch-monitor.ts';

let kit: Awaited<ReturnType<typeof openTestBatches>>;
beforeAll(async () => {
  kit = await openTestBatches();
});
afterAll(() => kit.close());

const workspaces = 6;
const documents = 60;

/** Documents that fail once and succeed in a redrive pass, and documents that never succeed. */
function misbehave(batchName: string) {
  const once = new Set<string>();
  for (let n = 1; n <= documents; n++) {
    const name = `${batchName}-${n}`;
    if (n % 10 === 0)
      kit.behaviours.set(name, async () => {
        throw new PermanentError('INVALID_FILE', 'never');
      });
    if (n % 10 === 5)
      kit.behaviours.set(name, async () => {
        if (once.has(name)) return { kind: 'done', label: 'on', save: undefined };
        once.add(name);
        throw new Error('not the first time');
      });
  }
}

test('many workers on many batches, with cancellations and redrives in between: the counters are the counts', async () => {
  const batches: string[] = [];
  for (let i = 0; i < workspaces; i++) {
    const workspaceId = await makeWorkspace(kit.pool, 7);
    const batchId = await makeActiveBatch(kit.pool, workspaceId);
    misbehave(`stress${i}`);
    await makeDocuments(kit.pool, { workspaceId, batchId, count: documents, name: `stress${i}` });
    await makeDocuments(kit.pool, { workspaceId, count: 10, name: 'loose' });
    batches.push(batchId);
  }
  const runners = [1, 2, 3].map(() => kit.runnerWith({ maxAttempts: 1 }));
  const cancelSome = async () => {
    const { rows } = await kit.pool.query<{ id: string }>(
      "select i.id from ingestions i join documents d on d.id = i.document_id where d.name like '%-7' order by i.id",
    );
    for (const { id } of rows)
      await kit.db.transaction((tx) => cancelIngestion(tx, id, kit.intake));
  };
  const unfinished = async () => {
    const { rows } = await kit.pool.query<{ count: number }>(
      'select count(*)::int from batches where ended_at is null',
    );
    return rows[0]?.count ?? 0;
  };
  const cancelling = cancelSome();
  while ((await unfinished()) > 0) {
    await fillWorkspaces(kit.db, kit.intake);
    await Promise.all([...runners.map((runner) => drain(runner)), pushBatches(kit.db, kit.intake)]);
  }
  await cancelling;

  const { rows: counted } = await kit.pool.query(
    `select b.completed, b.failed, b.cancelled,
            count(*) filter (where i.status = 'completed')::int as "isCompleted",
            count(*) filter (where i.status = 'failed')::int as "isFailed",
            count(*) filter (where i.status = 'cancelled')::int as "isCancelled"
       from batches b join documents d on d.batch_id = b.id join ingestions i on i.id = d.ingestion_id
      where b.id = any($1) group by b.id`,
    [batches],
  );
  expect(counted).toHaveLength(workspaces);
  for (const row of counted) {
    expect(row).toMatchObject({
      isCompleted: row.completed,
      isFailed: row.failed,
      isCancelled: row.cancelled,
    });
    expect(row.failed).toBe(documents / 10);
    expect(row.completed + row.failed + row.cancelled).toBe(documents);
  }
  const { rows: deadlocks } = await kit.pool.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  expect(deadlocks).toEqual([{ deadlocks: 0 }]);
}, 120_000);
