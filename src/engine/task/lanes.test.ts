import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drain } from '../../../test/kit/drain.ts';
import { openTestEngine } from '../../../test/kit/engine.ts';
import { noChild as inChild } from '../../../test/kit/no-child.ts';
import { LargeDocumentError } from '../../errors.ts';
import { readmit } from '../../intake/admit.ts';
import { sweepLapsedLeases } from '../../jobs/sweep-stale-claims.ts';
import { HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import { done, type Outcome } from '../pipeline/outcome.ts';
import { definePipeline, end, listLanedStages, step } from '../pipeline/pipeline.ts';
import { defineStage, type StageContext } from '../pipeline/stage.ts';
import { runTask } from './executor.ts';
import type { StageDocument } from './task.ts';
import { StageTimeoutError } from './verdict.ts';

type Behaviour = (document: StageDocument, context: StageContext) => Promise<Outcome<'on'>>;

/** What the heavy stage does with a document, by the document's name. */
const behaviours = new Map<string, Behaviour>();
const claim = defineStage({ run: async () => done('on') });
const transcribe = defineStage({
  timeoutMs: 5 * MINUTE,
  lanes: { large: { concurrency: 1, timeoutMs: HOUR }, degrade: async () => done('less') },
  run: (document, context) =>
    behaviours.get(document.name)?.(document, context) ?? Promise.resolve(done('on')),
});
const plain = defineStage({ run: async () => done('on') });
const pipeline = definePipeline({
  claim: step(claim, { on: 'transcribe' }),
  transcribe: step(transcribe, { on: 'extract', less: 'extract' }),
  extract: step(plain, { on: end }),
});
const largeFrom = { bytes: 100, pages: 10 };
const admission = { first: 'claim', giveUpMs: SECOND, lanes: listLanedStages(pipeline, largeFrom) };

let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  engine = await openTestEngine(pipeline);
});
afterAll(() => engine.close());

const runnerWith = () => engine.runnerWith({ largeFrom });

async function admitted(name: string, behaviour: Behaviour, bytes = 1) {
  behaviours.set(name, behaviour);
  const { documentId } = await engine.admit('x'.repeat(bytes), name);
  return documentId;
}

/** Runs all tasks, due or not, until they have ended. */
async function runToEnd(documentId: string) {
  for (;;) {
    await engine.resources.database.pool.query(
      "update tasks set not_before = now() where state = 'ready'",
    );
    await drain(runnerWith());
    const task = await engine.taskOf(documentId);
    if (task.state !== 'ready') return task;
  }
}

const lanesOfTrail = async (documentId: string) =>
  (await engine.eventsOf(documentId))
    .filter(({ type, data }) => type === 'TASK_FINISHED' && data.stage === 'transcribe')
    .map(({ data }) => `${data.lane ?? 'small'}:${data.outcome}`);

describe('a document', () => {
  test('begins in the lane of its size', async () => {
    const small = await admitted('small.txt', async () => done('on'), 99);
    const large = await admitted('large.txt', async () => done('on'), 100);
    await Promise.all([runToEnd(small), runToEnd(large)]);
    expect(await lanesOfTrail(small)).toEqual(['small:on']);
    expect(await lanesOfTrail(large)).toEqual(['large:on']);
    expect(await engine.taskOf(large)).toMatchObject({ stage: 'extract', lane: 'small' });
  });

  test('whose pages turn out to be many changes lanes without an attempt', async () => {
    const id = await admitted('pages.pdf', async (_, { lane }) => {
      if (lane === 'small') throw new LargeDocumentError('many pages');
      return done('on');
    });
    expect(await runToEnd(id)).toMatchObject({ state: 'done', attempts: 0 });
    expect(await lanesOfTrail(id)).toEqual(['small:enlarge', 'large:on']);
  });

  test('that takes too long in the small lane has the time of the large one', async () => {
    const times: number[] = [];
    const id = await admitted('slow.txt', async (_, { lane, timeoutMs }) => {
      times.push(timeoutMs);
      if (lane === 'small') throw new StageTimeoutError('too slow');
      return done('on');
    });
    expect(await runToEnd(id)).toMatchObject({ state: 'done', attempts: 1 });
    expect(times).toEqual([5 * MINUTE, HOUR]);
  });

  test('that fails everywhere is given what can be had, with every failure counted', async () => {
    const id = await admitted('broken.txt', async () => {
      throw new Error('always');
    });
    expect(await runToEnd(id)).toMatchObject({ state: 'done', attempts: 4 });
    expect(await lanesOfTrail(id)).toEqual([
      'small:retry',
      'small:retry',
      'large:retry',
      'large:retry',
      'large:less',
    ]);
    expect(await engine.ingestionOf(id)).toMatchObject({ attemptCount: 4 });
  });

  test('may fail elsewhere as often as any other after it has climbed', async () => {
    const id = await admitted('climber.txt', async (_, { lane }) => {
      if (lane === 'small') throw new Error('not here');
      return done('on');
    });
    expect(await runToEnd(id)).toMatchObject({
      state: 'done',
      attempts: 2,
      failures: 0,
      lane: 'small',
    });
  });
});

describe('a hint', () => {
  test('for the small lane does not get a task of the large one', async () => {
    const id = await admitted('mistaken.txt', async () => done('on'), 100);
    const { id: taskId, epoch } = await engine.taskOf(id);
    const runner = runnerWith();
    await runTask(runner, 'claim', { taskId, epoch }, { inChild });
    const hint = { taskId, epoch: epoch + 2 };
    expect(await runTask(runner, 'transcribe', hint, { inChild })).toBe('stale');
    expect(await runTask(runner, 'transcribe-large', hint, { inChild })).toBe('settled');
  });
});

describe('another run', () => {
  const again = (documentId: string, lane?: 'small' | 'large') =>
    engine.resources.database.db.transaction((tx) =>
      readmit(tx, documentId, admission, {
        overrides: { fromStage: 'transcribe', ...(lane && { lane }) },
      }),
    );

  test.each([
    ['its size', 1, undefined, 'small'],
    ['its size', 100, undefined, 'large'],
    ['who asked', 1, 'large', 'large'],
    ['who asked', 100, 'small', 'small'],
  ] as const)(
    'begins in the lane that %s demands (%i bytes, asked for %s)',
    async (_, bytes, asked, lane) => {
      const id = await admitted(`again-${bytes}-${asked}.txt`, async () => done('on'), bytes);
      await runToEnd(id);
      await engine.resources.database.pool.query(
        "update ingestions set status = 'completed', completed_at = now() where document_id = $1",
        [id],
      );
      await engine.resources.database.pool.query(
        "update documents set media_type = 'text/plain' where id = $1",
        [id],
      );
      expect(await again(id, asked)).toMatchObject([{ stage: 'transcribe', lane }]);
    },
  );
});

test('a suspect that takes its worker down alone climbs too, alone, and dies at the end', async () => {
  const id = await admitted('poison.txt', async () => done('on'));
  const { pool } = engine.resources.database;
  const runner = runnerWith();
  const { id: taskId } = await engine.taskOf(id);
  await runTask(runner, 'claim', { taskId, epoch: 0 }, { inChild });
  await pool.query('update tasks set suspect = true where id = $1', [taskId]);
  const seen: string[] = [];
  for (let task = await engine.taskOf(id); task.state === 'ready'; task = await engine.taskOf(id)) {
    const { epoch, lane, suspect } = task;
    seen.push(`${lane}${suspect ? '' : ', not alone'}`);
    await pool.query('update tasks set not_before = now() where id = $1', [taskId]);
    await runner.take({ taskId, epoch, stage: 'transcribe', lane, timeoutMs: SECOND, alone: true });
    await pool.query(
      "update tasks set lease_until = now() - interval '1 ms' where state = 'running'",
    );
    const { policy, failSubject } = runner;
    await sweepLapsedLeases(pool, { policy, failSubject, leaseMs: 0, admission, limit: 100 });
  }
  expect(seen).toEqual(['small', 'small', 'large', 'large', 'large']);
  expect(await engine.deadLettersOf(id)).toMatchObject([
    { code: 'WORKER_LOST', category: 'lost', attempts: 5 },
  ]);
});
