import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestBatches } from '../../../test/kit/batches.ts';
import { ConflictError, PermanentError } from '../../errors.ts';
import { replay } from '../replay.ts';
import { reprocess } from '../reprocess.ts';
import { createBatch } from './create.ts';

let kit: Awaited<ReturnType<typeof openTestBatches>>;
beforeAll(async () => {
  kit = await openTestBatches();
});
afterAll(() => kit.close());

const fails = async () => {
  throw new Error('no luck');
};
const rejects = async () => {
  throw new PermanentError('INVALID_FILE', 'no PDF');
};

describe('a batch', () => {
  test('starts nothing before it is started, and completes with its last document once it is finished', async () => {
    const { id } = await kit.create();
    for (const name of ['a.txt', 'b.txt']) await kit.add(id, name, `life/${name}`);
    expect(await kit.liveTasks()).toBe(0);
    expect(await kit.start(id)).toMatchObject({ state: 'active', open: 2 });
    await kit.settle();
    expect(await kit.find(id)).toMatchObject({ state: 'active', open: 0, completed: 2 });
    expect(await kit.finish(id)).toMatchObject({ state: 'completed', turnAt: null });
    expect((await kit.eventsOfBatch(id)).filter((type) => type !== 'BATCH_PROGRESS')).toEqual([
      'BATCH_CREATED',
      'DOCUMENT_ADDED',
      'DOCUMENT_ADDED',
      'JOB_QUEUED',
      'JOB_STARTED',
      'BATCH_FINISHED_FILLING',
      'JOB_FINISHED',
      'BATCH_END_START',
      'BATCH_END_FINISHED',
      'LOADER_FINISHED',
    ]);
  });

  test('without OCR has its documents read so, in every run that does not ask for it', async () => {
    const { id } = await kit.create({ noOcr: true });
    const { documentId } = await kit.add(id, 'scan.txt', 'no ocr');
    const overridesOf = async () => {
      const { rows } = await kit.pool.query<{ overrides: object }>(
        'select i.overrides from documents d join ingestions i on i.id = d.ingestion_id where d.id = $1',
        [documentId],
      );
      return rows[0]?.overrides;
    };
    expect(await overridesOf()).toEqual({ noOcr: true });
    await kit.start(id);
    await kit.settle();
    await reprocess(kit.db, documentId, kit.intake);
    expect(await overridesOf()).toEqual({ noOcr: true });
    await kit.settle();
    await reprocess(kit.db, documentId, kit.intake, { overrides: { noOcr: false } });
    expect(await overridesOf()).toEqual({ noOcr: false });
    await kit.settle();
    await kit.finish(id);
  });

  test('that is empty when it is finished completes at once', async () => {
    expect(await kit.finish((await kit.create()).id)).toMatchObject({
      state: 'completed',
      documents: 0,
    });
  });

  test('takes no document after it was finished, and leaves no bytes of it', async () => {
    const { id } = await kit.create();
    await kit.add(id, 'one.txt', 'sealed');
    await kit.finish(id);
    await expect(kit.add(id, 'late.txt', 'late')).rejects.toThrow(/already finished/);
    await kit.start(id);
    await kit.settle();
    expect(await kit.find(id)).toMatchObject({ state: 'completed', documents: 1 });
  });

  test('records the same bytes as a duplicate', async () => {
    const { id } = await kit.create();
    const first = await kit.add(id, 'first.txt', 'twice');
    expect(await kit.add(id, 'again.txt', 'twice')).toMatchObject({
      outcome: 'duplicate',
      documentId: first.documentId,
    });
    await kit.start(id);
    await kit.settle();
    expect(await kit.finish(id)).toMatchObject({
      state: 'completed',
      ledger: { seen: 2, documents: 1, duplicate: 1 },
    });
  });

  test('and a document are made once under one idempotency key, also by ten at once', async () => {
    const batch = {
      workspaceId: kit.workspaceId,
      name: 'x',
      type: 'FILES',
      idempotencyKey: 'batch-1',
    } as const;
    const made = await Promise.all(Array.from({ length: 10 }, () => createBatch(kit.db, batch)));
    expect(new Set(made.map((each) => each.batch.id)).size).toBe(1);
    expect(made.filter(({ created }) => created)).toHaveLength(1);
    const id = made[0]?.batch.id;
    const added = await Promise.all(
      Array.from({ length: 10 }, () => kit.add(id, 'k.txt', 'keyed', 'document-1')),
    );
    expect(new Set(added.map(({ documentId }) => documentId)).size).toBe(1);
    expect(added.filter(({ outcome }) => outcome === 'added')).toHaveLength(1);
    expect(await kit.cancel(id ?? '')).toMatchObject({ documents: 1, itemsSeen: 1 });
    await kit.push();
  });

  test('stays open while items are missing, and says how many', async () => {
    const { id } = await kit.create();
    await kit.add(id, 'only.txt', 'unbalanced');
    await kit.start(id);
    await kit.finish(id, 3);
    await kit.settle();
    expect(await kit.find(id)).toMatchObject({
      state: 'unbalanced',
      turnAt: null,
      ledger: { seen: 3, documents: 1 },
    });
    expect(await kit.eventsOfBatch(id)).toContain('BATCH_UNBALANCED');
    await kit.note(id, { kind: 'skipped', name: 'thumbs.db', reason: 'no document' });
    expect(await kit.find(id)).toMatchObject({ state: 'unbalanced' });
    await kit.note(id, { kind: 'exception', name: 'locked.pdf', reason: 'permission denied' });
    expect(await kit.find(id)).toMatchObject({
      state: 'completed',
      ledger: { skipped: 1, exception: 1 },
    });
  });

  test('that is paused lets the next one pass and goes on when resumed', async () => {
    await kit.setWindow(1);
    const [first, second] = [await kit.create(), await kit.create()];
    for (const name of ['1', '2', '3']) await kit.add(first.id, name, `pause/${name}`);
    await kit.start(first.id);
    await kit.start(second.id);
    expect(await kit.pause(first.id)).toMatchObject({ state: 'paused' });
    expect(await kit.find(second.id)).toMatchObject({ state: 'active' });
    await kit.settle();
    expect(await kit.find(first.id)).toMatchObject({ state: 'paused', completed: 1, open: 2 });
    await expect(kit.pause(first.id)).rejects.toThrow(ConflictError);
    await kit.finish(second.id);
    await kit.finish(first.id);
    expect(await kit.resume(first.id)).toMatchObject({ state: 'active' });
    await kit.settle();
    expect(await kit.find(first.id)).toMatchObject({ state: 'completed', completed: 3 });
    await kit.setWindow(200);
  });
});

describe('dead letters of a batch', () => {
  test('are sent again in at most two passes, the last marked final; what was rejected is not', async () => {
    const { id } = await kit.create();
    kit.behaviours.set('unlucky.txt', fails);
    kit.behaviours.set('bad.pdf', rejects);
    for (const name of ['unlucky.txt', 'bad.pdf', 'good.txt'])
      await kit.add(id, name, `redrive/${name}`);
    await kit.start(id);
    await kit.finish(id);
    await kit.settle();
    expect(await kit.find(id)).toMatchObject({
      state: 'redriving',
      redrivePass: 1,
      failed: 2,
      completed: 1,
    });
    for (let pass = 1; pass <= 2; pass++) {
      await kit.push();
      await kit.settle();
    }
    expect(await kit.find(id)).toMatchObject({
      state: 'completed',
      redrivePass: 2,
      failed: 2,
      completed: 1,
    });
    const { rows } = await kit.pool.query(
      "select data->>'final' as final from events where batch_id = $1 and type = 'BATCH_REDRIVE' order by id",
      [id],
    );
    expect(rows).toEqual([{ final: 'false' }, { final: 'true' }]);
  });

  test('that succeed in a pass end it early, and a batch without retryable ones has none', async () => {
    const [cured, rejected] = [await kit.create(), await kit.create()];
    let runs = 0;
    kit.behaviours.set('cured.txt', async () => {
      runs += 1;
      if (runs <= 3) throw new Error('not yet');
      return { kind: 'done', label: 'on', save: undefined };
    });
    await kit.add(cured.id, 'cured.txt');
    await kit.add(rejected.id, 'bad.pdf', 'rejected');
    for (const { id } of [cured, rejected]) {
      await kit.start(id);
      await kit.finish(id);
    }
    await kit.settle();
    await kit.push();
    await kit.settle();
    expect(await kit.find(cured.id)).toMatchObject({
      state: 'completed',
      redrivePass: 1,
      failed: 0,
      completed: 1,
    });
    expect(await kit.find(rejected.id)).toMatchObject({
      state: 'completed',
      redrivePass: 0,
      failed: 1,
    });
  });

  test('replayed ten times at once make one new run, and the counters stay right', async () => {
    const { id } = await kit.create({ maxRedrives: 0 });
    kit.behaviours.set('again.txt', fails);
    const { documentId } = await kit.add(id, 'again.txt');
    await kit.start(id);
    await kit.finish(id);
    await kit.settle();
    expect(await kit.find(id)).toMatchObject({ state: 'completed', failed: 1 });
    kit.behaviours.delete('again.txt');
    const [letter] = await kit.deadLettersOf(documentId);
    const replays = await Promise.all(
      Array.from({ length: 10 }, () =>
        replay(kit.db, { id: letter?.id ?? '', workspaceId: undefined }, kit.intake),
      ),
    );
    expect(replays.filter(({ outcome }) => outcome === 'replayed')).toHaveLength(1);
    expect(await kit.find(id)).toMatchObject({ state: 'completed', open: 1, failed: 0 });
    await kit.settle();
    expect(await kit.find(id)).toMatchObject({
      state: 'completed',
      open: 0,
      failed: 0,
      completed: 1,
    });
  });
});
