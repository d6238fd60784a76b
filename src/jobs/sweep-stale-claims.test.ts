import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestEngine } from '../../test/kit/engine.ts';
import { inTransaction } from '../db/index.ts';
import { done } from '../engine/pipeline/outcome.ts';
import { definePipeline, end, step } from '../engine/pipeline/pipeline.ts';
import { defineStage } from '../engine/pipeline/stage.ts';
import type { Runner } from '../engine/task/runner.ts';
import { DAY, MINUTE } from '../lib/time.ts';
import { sweepLapsedLeases } from './sweep-stale-claims.ts';

const pipeline = definePipeline({
  claim: step(defineStage({ run: async () => done('on') }), { on: end }),
});

let engine: Awaited<ReturnType<typeof openTestEngine>>;
let runner: Runner;
beforeAll(async () => {
  engine = await openTestEngine(pipeline);
  runner = engine.runnerWith();
});
afterAll(() => engine.close());

const admission = { first: 'claim', giveUpMs: MINUTE };
/** Postgres counts as unavailable for one lease time after its start. */
const sweep = (leaseMs = 0) =>
  sweepLapsedLeases(engine.resources.database.pool, {
    policy: runner.policy,
    failSubject: runner.failSubject,
    leaseMs,
    admission,
    limit: 100,
  });

/** A document whose task is the only one its process runs. */
async function takenAlone() {
  const { documentId } = await engine.admit();
  await takeAgain(documentId);
  return documentId;
}

async function takeAgain(documentId: string): Promise<void> {
  const { id, epoch } = await engine.taskOf(documentId);
  await engine.resources.database.pool.query('update tasks set not_before = now() where id = $1', [
    id,
  ]);
  await runner.take({ taskId: id, epoch, stage: 'claim', timeoutMs: MINUTE, alone: true });
}

async function lapse(documentId: string): Promise<void> {
  const { id } = await engine.taskOf(documentId);
  await engine.resources.database.pool.query(
    "update tasks set lease_until = now() - interval '1 millisecond' where id = $1",
    [id],
  );
}

test('a lease that stands is left alone', async () => {
  const documentId = await takenAlone();
  expect(await sweep()).toMatchObject({ recovered: 0, died: 0 });
  expect(await engine.taskOf(documentId)).toMatchObject({ state: 'running', epoch: 1, losses: 0 });
});

test('a task that is being settled is passed over, and not waited for', async () => {
  const documentId = await takenAlone();
  await lapse(documentId);
  const { id } = await engine.taskOf(documentId);
  await inTransaction(engine.resources.database.pool, async (client) => {
    await client.query('select from tasks where id = $1 for update', [id]);
    expect(await sweep()).toMatchObject({ recovered: 0, died: 0 });
  });
  expect(await sweep()).toMatchObject({ recovered: 1, died: 0 });
});

test('a loss that is charged shows on the ingestion', async () => {
  const documentId = await takenAlone();
  await lapse(documentId);
  await sweep();
  expect(await engine.taskOf(documentId)).toMatchObject({ state: 'ready', attempts: 1 });
  expect(await engine.ingestionOf(documentId)).toMatchObject({
    status: 'in-progress',
    attemptCount: 1,
  });
});

test('the excuse that Postgres was away holds for three losses, and not for ever', async () => {
  const documentId = await takenAlone();
  const charged: number[] = [];
  for (let loss = 1; loss <= 4; loss++) {
    await lapse(documentId);
    await sweep(365 * DAY);
    charged.push((await engine.taskOf(documentId)).attempts);
    await takeAgain(documentId);
  }
  expect(charged).toEqual([0, 0, 0, 1]);
});
