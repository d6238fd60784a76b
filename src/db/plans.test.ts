import { type SQL, sql, TransactionRollbackError } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestBatches } from '../../test/kit/batches.ts';
import { fillTables } from '../../test/kit/full-tables.ts';
import { ingestionStatuses } from '../domain/ingestion-status.ts';
import { admitStatement } from '../engine/admission/admission.ts';
import { lettersStatement } from '../engine/admission/batch/retryable-letters.ts';
import {
  countDeadLetters,
  groupDeadLetters,
  listDeadLetters,
} from '../engine/dead-letters/index.ts';
import { idleStatement } from '../jobs/batch-monitor.ts';
import { purgeNext } from '../jobs/purge-runs.ts';
import { idleBatches } from '../jobs/stuck-batches.ts';
import { sweepDeliveries } from '../jobs/sweep-deliveries.ts';
import { sweepLapsedLeases } from '../jobs/sweep-stale-claims.ts';
import { DAY, HOUR, MINUTE } from '../lib/time.ts';
import { readLoad } from './backlog.ts';
import { countBatches } from './batch-counts.ts';
import { clockStatement, stepsStatement } from './batch-progress.ts';
import { failedStatement } from './batch-report.ts';
import { type Batch, listBatches } from './batches.ts';
import { contentsInBatch } from './containers.ts';
import { listDeliveries } from './deliveries.ts';
import { countBytesMissing, type Listing, listDocuments } from './documents.ts';
import { type Database, openDatabase } from './index.ts';
import { deleteDocuments, lockEnded, oldestDocuments } from './retention.ts';
import { documentsAfter, ownersToKeep } from './stored-objects.ts';

/**
 * With a large batch waiting and a larger one done, recurring statements must read only what is
 * due.
 * `npm run plans` does the same with a million documents.
 */
const documents = Number(process.env.MILLRACE_TEST_DOCUMENTS ?? 110_000);

let kit: Awaited<ReturnType<typeof openTestBatches>>;
let batch: Batch;
let single: Database;
beforeAll(async () => {
  kit = await openTestBatches();
  batch = await kit.find(await fillTables(kit.pool, kit.workspaceId, documents));
  // One connection: what it has read is known when it is asked.
  single = openDatabase({ url: kit.url, connections: 1, onError: () => undefined });
}, 1_200_000);
afterAll(async () => {
  await single.close();
  await kit.close();
});

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
const explained = z.tuple([
  z.looseObject({ 'QUERY PLAN': z.tuple([z.looseObject({ Plan: plan })]) }),
]);

/** The rows that each plan node reads; the statement is run and rolled back. */
async function nodesOf(statement: SQL): Promise<Plan[]> {
  let rows: unknown;
  await kit.db
    .transaction(async (tx) => {
      // Connections reuse a generic plan, made without knowing the values.
      await tx.execute(
        sql.raw(
          `set local plan_cache_mode = force_generic_plan; prepare admit as ${admitStatement.text}`,
        ),
      );
      ({ rows } = await tx.execute(sql`explain (analyze, format json) ${statement}`));
      await tx.execute(sql`deallocate admit`);
      tx.rollback();
    })
    .catch(() => undefined);
  const flatten = (node: Plan): Plan[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
  return flatten(explained.parse(rows)[0]['QUERY PLAN'][0].Plan);
}

const statements: [string, () => SQL, most: number][] = [
  ['filling the window', () => sql.raw(`execute admit ('${batch.workspaceId}')`), 50],
  ['finding workspaces with room', () => idleStatement, 10],
  ['finding stuck batches', () => idleBatches(MINUTE), 10],
  [
    'pushing batches',
    () =>
      sql`select id from batches where state in ('redriving', 'cancelling') order by id limit 100`,
    0,
  ],
  [
    'the next batch in line',
    () =>
      sql`select id from batches where workspace_id = ${batch.workspaceId} and state = 'queued' order by priority, created_at limit 1`,
    1,
  ],
  [
    'dead letters to send again',
    () => lettersStatement(batch.id, { limit: 100, ofPass: true }),
    100,
  ],
  ['progress by stage', () => stepsStatement(batch), 50],
  ['progress by the clock', () => clockStatement(batch), 50],
  [
    'a page of a report',
    () => failedStatement(batch.id, '00000000-0000-0000-0000-000000000000'),
    500,
  ],
  [
    'announcing what is due',
    () =>
      sql`select id from tasks where state = 'ready' and announced_at is null and not_before <= now() order by not_before limit 1000`,
    0,
  ],
  [
    'sweeping what lapsed',
    () =>
      sql`select id from tasks where state = 'running' and lease_until <= now() order by lease_until limit 500`,
    0,
  ],
];

const page = { workspaceId: undefined, limit: 50 };
const graceMs = 24 * HOUR;
const agedPage = { after: '', limit: 500 };
const from = '00000000-0000-0000-0000-000000000000';

type Work = [string, (database: Database) => Promise<unknown>, most: number];

/** Statements of jobs and of users, and how many rows of a table each may read. */
const works: Work[] = [
  ['listing documents', ({ db }) => listDocuments(db, page), 120],
  [
    'listing documents of a workspace',
    ({ db }) => listDocuments(db, { ...page, workspaceId: kit.workspaceId }),
    120,
  ],
  [
    'listing documents of a batch',
    ({ db }) => listDocuments(db, { ...page, batchId: batch.id }),
    120,
  ],
  ...(
    [
      ['of all workspaces', () => page],
      ['of a workspace', () => ({ ...page, workspaceId: kit.workspaceId })],
      ['of a workspace where they all wait', () => ({ ...page, workspaceId: batch.workspaceId })],
      ['of a batch', () => ({ ...page, batchId: batch.id })],
    ] satisfies [string, () => Listing][]
  ).flatMap(([whose, listing]): Work[] => [
    ...ingestionStatuses.map(
      (status): Work => [
        `listing documents ${whose} that are ${status}`,
        ({ db }) => listDocuments(db, { ...listing(), status }),
        200,
      ],
    ),
    [
      `listing documents ${whose} to review`,
      ({ db }) => listDocuments(db, { ...listing(), needsReview: true }),
      200,
    ],
    [
      `listing documents ${whose} to trust`,
      ({ db }) => listDocuments(db, { ...listing(), needsReview: false }),
      200,
    ],
  ]),
  ['listing batches', ({ db }) => listBatches(db, page), 120],
  ['listing batches that run', ({ db }) => listBatches(db, { ...page, state: 'active' }), 10],
  ['listing dead letters', ({ db }) => listDeadLetters(db, { ...page, limit: 5 }), 10],
  ['grouping dead letters', ({ db }) => groupDeadLetters(db, undefined, {}, 50), documents / 500],
  ['counting dead letters', ({ db }) => countDeadLetters(db), documents / 500],
  ['listing deliveries', ({ db }) => listDeliveries(db, page), 200],
  [
    'listing deliveries of a workspace',
    ({ db }) => listDeliveries(db, { ...page, workspaceId: kit.workspaceId }),
    200,
  ],
  [
    'listing deliveries of a workspace without any',
    ({ db }) => listDeliveries(db, { ...page, workspaceId: batch.workspaceId }),
    0,
  ],
  [
    'listing deliveries by status',
    ({ db }) => listDeliveries(db, { ...page, status: ['FAILED', 'REJECTED', 'MANAGED'] }),
    200,
  ],
  [
    'listing batches of a workspace',
    ({ db }) => listBatches(db, { ...page, workspaceId: batch.workspaceId }),
    60,
  ],
  [
    'listing no dead letters',
    ({ db }) => listDeadLetters(db, { ...page, workspaceId: batch.workspaceId }),
    documents / 500,
  ],
  [
    'sweeping deliveries',
    ({ db }) => sweepDeliveries(db, { stuckMs: MINUTE, giveUpMs: HOUR, limit: 500 }),
    0,
  ],
  ['counting batches', ({ db }) => countBatches(db), 10],
  ['counting what waits', ({ pool }) => readLoad(pool, ['claim', 'finalize']), 60],
  ['comparing documents with storage', ({ db }) => documentsAfter(db, '', 500), 500],
  [
    'comparing storage with documents',
    ({ db }) => ownersToKeep(db, 'ingestions', [from], graceMs),
    1,
  ],
  [
    'finding documents past their retention',
    ({ db }) => oldestDocuments(db, { workspaceId: kit.workspaceId, days: 90 }, agedPage),
    // Two for each: the document, and that of the hold check.
    2 * agedPage.limit,
  ],
  ['removing documents past their retention', ({ db }) => removeSome(db), 600],
  [
    'purging old tasks',
    (database) => purgeNext(database, 'tasks', { keepMs: 90 * DAY, limit: 500 }),
    // Each row is read for the page, and again to see whether it can go.
    1020,
  ],
  [
    'purging replaced runs',
    (database) => purgeNext(database, 'runs', { keepMs: 90 * DAY, limit: 500 }),
    // Each row is read for the page, and again to see whether it can go.
    1020,
  ],
  ['counting what was unpacked', ({ db }) => contentsInBatch(db, batch.id), 0],
  ['counting missing bytes', ({ db }) => countBytesMissing(db), 0],
  ['sweeping leases', ({ pool }) => sweepLapsedLeases(pool, sweepOptions()), 0],
];

/** Removes fifty documents as retention does, and rolls back. */
async function removeSome(db: Database['db']): Promise<void> {
  const rule = { workspaceId: kit.workspaceId, days: 0 };
  const aged = await oldestDocuments(db, rule, { after: '', limit: 50 });
  await db
    .transaction(async (tx) => {
      const locked = await lockEnded(
        tx,
        aged.map(({ id }) => id),
      );
      expect(await deleteDocuments(tx, locked)).toHaveLength(50);
      tx.rollback();
    })
    .catch((error: unknown) => {
      if (!(error instanceof TransactionRollbackError)) throw error;
    });
}

const sweepOptions = () => {
  const { policy, failSubject } = kit.runnerWith();
  return {
    policy,
    failSubject,
    leaseMs: MINUTE,
    admission: { first: 'claim', giveUpMs: HOUR },
    limit: 500,
  };
};

type Reads = Record<string, { scans: number; rows: number }>;

async function readsSoFar(): Promise<Reads> {
  await single.pool.query('select pg_stat_force_next_flush()');
  const { rows } = await single.pool.query<{ table: string; scans: number; rows: number }>(
    `select relname as table, seq_scan::int as scans, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
       from pg_stat_user_tables where relname in ('documents', 'ingestions', 'tasks', 'dead_letters', 'deliveries', 'batches')`,
  );
  return Object.fromEntries(rows.map(({ table, ...reads }) => [table, reads]));
}

test.each(works)('%s reads by index what it tells', async (_, work, most) => {
  const before = await readsSoFar();
  await work(single);
  const after = await readsSoFar();
  const read = Object.entries(after).map(([table, { scans, rows }]) => ({
    table,
    scans: scans - (before[table]?.scans ?? 0),
    tooMany: Math.max(0, rows - (before[table]?.rows ?? 0) - most),
  }));
  expect(read.filter(({ scans, tooMany }) => scans + tooMany > 0)).toEqual([]);
});

test.each(statements)('%s reads by index what is due', async (_, statement, most) => {
  const nodes = await nodesOf(statement());
  const scans = nodes.filter(
    ({ 'Relation Name': relation }) => relation !== undefined && relation !== 'workspaces',
  );
  const reads = scans.filter((node) => node['Node Type'].includes('Scan'));
  expect(reads.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
  for (const node of reads) {
    expect((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(
      Math.max(most, 1),
    );
  }
});
