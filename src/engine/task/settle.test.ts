import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestEngine } from '../../../test/kit/engine.ts';
import { noChild } from '../../../test/kit/no-child.ts';
import { complete, done, type Outcome } from '../pipeline/outcome.ts';
import { definePipeline, end, step } from '../pipeline/pipeline.ts';
import { defineStage } from '../pipeline/stage.ts';
import { runTask } from './executor.ts';
import type { Announcement, StageDocument } from './task.ts';

/** What the first stage returns, by the document's name. */
const answers = new Map<string, (document: StageDocument) => Promise<Outcome<'on'>>>();
const claim = defineStage({
  run: (document) => answers.get(document.name)?.(document) ?? Promise.resolve(done('on')),
});
const work = defineStage({ run: async () => done('on') });
const pipeline = definePipeline({
  claim: step(claim, { on: 'work' }),
  work: step(work, { on: end }),
});

let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  engine = await openTestEngine(pipeline);
});
afterAll(() => engine.close());
const query = (text: string, values: unknown[]) =>
  engine.resources.database.pool.query(text, values);

async function admitted(name: string, answer: (document: StageDocument) => Promise<Outcome<'on'>>) {
  answers.set(name, answer);
  const { documentId } = await engine.admit('text', name);
  return { documentId, ...(await engine.taskOf(documentId)) };
}

const failing = async (): Promise<never> => {
  throw new Error('not yet');
};

test.each([
  [
    'that passes a stage is none in the next',
    'passing.txt',
    async () => done('on'),
    { stage: 'work', suspect: false },
  ],
  ['that fails is still one', 'failing.txt', failing, { stage: 'claim', suspect: true }],
] as const)('a suspect %s', async (_, name, answer, expected) => {
  const { documentId, id, epoch } = await admitted(name, answer);
  await query('update tasks set suspect = true where id = $1', [id]);
  await runTask(
    engine.runnerWith(),
    'claim',
    { taskId: id, epoch },
    { inChild: noChild, alone: true },
  );
  expect(await engine.taskOf(documentId)).toMatchObject(expected);
});

test('what goes on at once is announced by its worker, what is to wait is not', async () => {
  const announced: Announcement[] = [];
  const runner = engine.runnerWith({ announce: async (hints) => void announced.push(...hints) });
  for (const [name, answer] of [
    ['on.txt', async () => done('on')],
    ['later.txt', failing],
  ] as const) {
    const { id, epoch } = await admitted(name, answer);
    await runTask(runner, 'claim', { taskId: id, epoch }, { inChild: noChild });
  }
  expect(announced).toMatchObject([{ stage: 'work', epoch: 2, suspect: false }]);
});

test('an ingestion that has ended is not completed once more', async () => {
  const { documentId, id, epoch } = await admitted('ended.txt', async ({ ingestion }) => {
    await query("update ingestions set status = 'cancelled', completed_at = now() where id = $1", [
      ingestion.id,
    ]);
    return complete('on');
  });
  expect(
    await runTask(engine.runnerWith(), 'claim', { taskId: id, epoch }, { inChild: noChild }),
  ).toBe('settled');
  expect(await engine.ingestionOf(documentId)).toMatchObject({ status: 'cancelled' });
  expect((await engine.eventsOf(documentId)).map(({ type }) => type)).not.toContain(
    'DOCUMENT_PROCESSED',
  );
});

test('the database refuses an epoch that goes back, and an ending that changes', async () => {
  const { documentId, id } = await admitted('fixed.txt', async () => done('on'));
  await query('update tasks set epoch = epoch + 2 where id = $1', [id]);
  await expect(query('update tasks set epoch = epoch - 1 where id = $1', [id])).rejects.toThrow(
    /epoch_only_grows/,
  );
  const { id: ingestionId } = await engine.ingestionOf(documentId);
  await query("update ingestions set status = 'completed', completed_at = now() where id = $1", [
    ingestionId,
  ]);
  await expect(
    query("update ingestions set status = 'failed' where id = $1", [ingestionId]),
  ).rejects.toThrow(/ingestions_terminal_is_final/);
});
