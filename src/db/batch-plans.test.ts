import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestBatches } from '../../test/kit/batches.ts';
import { makeActiveBatch, makeDocuments, makeEnded, makeWorkspace } from '../../test/kit/rows.ts';
import { admitStatement } from '../engine/admission.ts';
import { lettersStatement } from '../engine/batch/retryable-letters.ts';
import { idleStatement, stuckStatement } from '../intake/batch/monitor.ts';
import { MINUTE } from '../lib/time.ts';
import { clockStatement, stepsStatement } from './batch-progress.ts';
import { failedStatement } from './batch-report.ts';
import type { Batch } from './batches.ts';

/** With a large batch waiting and a larger one done, everything that recurs reads what is due and nothing else. */

const waiting = 30_000;
const ended = 80_000;

let kit: Awaited<ReturnType<typeof openTestBatches>>;
let batch: Batch;
beforeAll(async () => {
  kit = await openTestBatches();
  const { pool } = kit;
  const done = await makeActiveBatch(pool, kit.workspaceId);
  await makeEnded(pool, { workspaceId: kit.workspaceId, batchId: done, count: ended });
  await pool.query("update batches set state = 'completed', turn_at = null, ended_at = now() where id = $1", [done]);
  const workspaceId = await makeWorkspace(pool, 50);
  const id = await makeActiveBatch(pool, workspaceId);
  await makeDocuments(pool, { workspaceId, batchId: id, count: waiting });
  await pool.query(
    `insert into batches (id, workspace_id, name, type, state, ended_at)
     select gen_random_uuid(), $1, 'old', 'FILES', 'cancelled', now() from generate_series(1, 10000)`,
    [kit.workspaceId],
  );
  await pool.query('vacuum analyze documents, ingestions, tasks, batches, dead_letters, batch_items, workspaces');
  batch = await kit.find(id);
}, 120_000);
afterAll(() => kit.close());

interface Plan {
  'Node Type': string;
  'Relation Name'?: string | undefined;
  'Actual Rows'?: number | undefined;
  'Rows Removed by Filter'?: number | undefined;
  Plans?: Plan[] | undefined;
}
const plan: z.ZodType<Plan> = z.lazy(() =>
  z.looseObject({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Actual Rows': z.number().optional(),
    'Rows Removed by Filter': z.number().optional(),
    Plans: z.array(plan).optional(),
  }),
);
const explained = z.tuple([z.looseObject({ 'QUERY PLAN': z.tuple([z.looseObject({ Plan: plan })]) })]);

/** What a statement reads, node by node, in a run that is undone. */
async function nodesOf(statement: SQL): Promise<Plan[]> {
  let rows: unknown;
  await kit.db
    .transaction(async (tx) => {
      ({ rows } = await tx.execute(sql`explain (analyze, format json) ${statement}`));
      tx.rollback();
    })
    .catch(() => undefined);
  const flatten = (node: Plan): Plan[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
  return flatten(explained.parse(rows)[0]['QUERY PLAN'][0].Plan);
}

const statements: [string, () => SQL, most: number][] = [
  ['filling the window', () => admitStatement(batch.workspaceId), 50],
  ['finding workspaces with room', () => idleStatement, 10],
  ['finding stuck batches', () => stuckStatement(MINUTE), 10],
  [
    'pushing batches',
    () => sql`select id from batches where state in ('redriving', 'cancelling') order by id limit 100`,
    0,
  ],
  [
    'the next batch in line',
    () =>
      sql`select id from batches where workspace_id = ${batch.workspaceId} and state = 'queued' order by priority, created_at limit 1`,
    1,
  ],
  ['dead letters to send again', () => lettersStatement(batch.id, { limit: 100, ofPass: true }), 100],
  ['progress by stage', () => stepsStatement(batch), 50],
  ['progress by the clock', () => clockStatement(batch), 50],
  ['a page of a report', () => failedStatement(batch.id, '00000000-0000-0000-0000-000000000000'), 500],
  [
    'announcing what is due',
    () =>
      sql`select id from tasks where state = 'ready' and announced_at is null and not_before <= now() order by not_before limit 1000`,
    0,
  ],
  [
    'sweeping what lapsed',
    () => sql`select id from tasks where state = 'running' and lease_until <= now() order by lease_until limit 500`,
    0,
  ],
];

test.each(statements)('%s reads by index what is due', async (_, statement, most) => {
  const nodes = await nodesOf(statement());
  const scans = nodes.filter(({ 'Relation Name': relation }) => relation !== undefined && relation !== 'workspaces');
  const reads = scans.filter((node) => node['Node Type'].includes('Scan'));
  expect(reads.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
  for (const node of reads) {
    expect((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(Math.max(most, 1));
  }
});
