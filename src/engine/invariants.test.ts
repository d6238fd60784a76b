import { afterAll, beforeAll, expect, test } from 'vitest';
import { drain } from '../../test/kit/drain.ts';
import { openTestEngine } from '../../test/kit/engine.ts';
import { makeActiveBatch } from '../../test/kit/rows.ts';
import { openLocalExtractor } from '../extraction/local.ts';
import { pipeline } from '../workers/pipeline.ts';
import { checkInvariants, type InvariantName } from './invariants.ts';

let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  const page = {
    number: 1,
    width: 1,
    height: 1,
    words: [],
    quality: { score: 1, defects: [] },
    native: true,
  };
  const transcription = {
    engine: 'test',
    pages: [{ ...page, text: 'Dear Sir or Madam' }],
    embedded: [],
    problems: [],
  };
  engine = await openTestEngine(pipeline, {
    reader: { engine: 'test', read: async () => transcription, close: async () => undefined },
    extractor: openLocalExtractor(),
  });
  await engine.admit('Dear Sir or Madam', 'ended.txt');
  await drain(engine.runnerWith());
  await engine.admit('Dear all', 'waiting.txt');
  await makeActiveBatch(engine.resources.database.pool, engine.workspaceId);
});
afterAll(() => engine.close());

/** For each invariant, changes that would violate it. */
const breaches: Record<InvariantName, string> = {
  'ended-once':
    "update ingestions set status = 'completed', completed_at = now() where status = 'in-progress'",
  'one-live-run': `insert into ingestions (id, document_id, workspace_id)
    select gen_random_uuid(), document_id, workspace_id from ingestions where status = 'in-progress'`,
  'never-without-a-task': `update ingestions set started_at = now() where status = 'in-progress';
    delete from tasks where ended_at is null`,
  'dead-means-letter': "update tasks set state = 'dead' where state = 'done'",
  'failed-has-reason':
    "update ingestions set status = 'failed', problems = '[]' where status = 'completed'",
  'completed-was-read': "update ingestions set transcription_key = null where status = 'completed'",
  'result-reached-document': "update documents set structured_data = '{}'",
  'attempts-counted-once': 'update ingestions set attempt_count = 2',
  'lease-ends-once':
    "insert into events (type, ingestion_id, data) select type, ingestion_id, data from events where type = 'TASK_FINISHED'",
  'batches-add-up': 'update batches set documents = documents + 1, open = open + 1',
  'containers-add-up': `update documents set contents = '{"seen": 1}'`,
  'same-workspace': 'update ingestions set workspace_id = gen_random_uuid()',
  'leases-are-swept':
    "update tasks set state = 'running', lease_owner = 'x', lease_until = now() - interval '1 hour', deadline = now() where state = 'ready'",
  'due-is-announced':
    "update tasks set announced_at = null, not_before = now() - interval '1 hour' where state = 'ready'",
};

test('nothing is broken by ordinary work', async () => {
  expect(await checkInvariants(engine.resources.database.pool)).toEqual([]);
});

test.each(Object.entries(breaches))('a breach of %s is found', async (name, breach) => {
  const client = await engine.resources.database.pool.connect();
  try {
    // Triggers and foreign keys would prevent it.
    await client.query(
      'begin; set local session_replication_role = replica; drop index if exists ingestions_one_live',
    );
    await client.query(breach);
    expect((await checkInvariants(client)).map(({ invariant }) => invariant)).toContain(name);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
