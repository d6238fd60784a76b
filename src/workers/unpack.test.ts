import { createHash } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestBatches } from '../../test/kit/batches.ts';
import { drain } from '../../test/kit/drain.ts';
import { mailOf, mboxOf, nestedMail } from '../../test/kit/mail.ts';
import { temporaryDirectory } from '../../test/kit/temporary-directory.ts';
import { zipOf } from '../../test/kit/zip.ts';
import { countContents, readFamily } from '../db/containers.ts';
import { findDocument } from '../db/documents.ts';
import { insertPassword } from '../db/passwords.ts';
import { queueName } from '../domain/lane.ts';
import { checkInvariants } from '../engine/invariants.ts';
import { definePipeline, end, step } from '../engine/pipeline/pipeline.ts';
import type { StageContext } from '../engine/pipeline/stage.ts';
import { runTask } from '../engine/task/executor.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { readmit } from '../intake/admit.ts';
import { overlay } from '../lib/overlay.ts';
import { reprocess } from '../lifecycle/reprocess.ts';
import type { ProcessorRequest } from '../sandbox/messages.ts';
import { operations } from '../sandbox/operations.ts';
import { runOperation } from '../sandbox/run-operation.ts';
import { claim } from './claim.ts';
import { finalize } from './finalize.ts';
import { unpack } from './unpack.ts';

/** Runs the stage, for some documents twice at the same time, for others without time left. */
async function raced(document: StageDocument, context: StageContext) {
  if (document.name.startsWith('slow'))
    return unpack.run(document, overlay(context, { timeLeftMs: () => 0 }));
  if (!document.name.startsWith('raced')) return unpack.run(document, context);
  const workDirectory = temporaryDirectory();
  const [outcome] = await Promise.all([
    unpack.run(document, context),
    unpack.run(document, overlay(context, { workDirectory: () => workDirectory })),
  ]);
  return outcome;
}

/** Containers are unpacked; their entries are not read. */
const pipeline = definePipeline({
  claim: step(claim, { single: 'finalize', container: 'unpack', part: end }),
  unpack: step({ ...unpack, run: raced }, { unpacked: end, family: 'finalize' }),
  finalize: step(finalize, { finalized: end }),
});
const kit = await openTestBatches(pipeline);
const { pool, db } = kit;
const { depth } = kit.resources.settings.unpack;
afterAll(() => kit.close());

let unpackings: number;
let skipped: unknown[];
beforeEach(() => {
  unpackings = 0;
  skipped = [];
});
const inChild = async (work: ProcessorRequest) => {
  unpackings += 1;
  skipped.push((work.input as { skip: number }).skip);
  return runOperation(operations, work);
};
const run = () => drain(kit.runnerWith(), inChild);

const childrenOf = async (id: string) =>
  (
    await pool.query(
      'select id, name, status, root_id as "rootId", batch_id as "batchId" from documents where parent_id = $1 order by position',
      [id],
    )
  ).rows;
const itemsOf = async (id: string) =>
  (
    await pool.query(
      'select kind, name, reason from batch_items where container_id = $1 order by position',
      [id],
    )
  ).rows;
const contents = async (id: string) => (await kit.documentOf(id)).contents;

const letters = zipOf([
  { name: 'in/' },
  { name: 'in/one.txt', body: 'one' },
  { name: 'in/two.txt', body: 'two' },
  { name: '.DS_Store', body: 'x' },
  { name: 'locked.txt', body: 'x', flags: 1 },
]);

describe('an archive', () => {
  test('becomes its entries, each of them accounted for', async () => {
    const { documentId } = await kit.admit(letters, 'letters.zip');
    await run();
    expect(await kit.ingestionOf(documentId)).toMatchObject({ status: 'completed' });
    expect((await findDocument(db, documentId))?.leftOut).toEqual(await itemsOf(documentId));
    expect(await childrenOf(documentId)).toMatchObject([
      { name: 'one.txt', status: 'completed', rootId: documentId },
      { name: 'two.txt', status: 'completed', rootId: documentId },
    ]);
    expect(await itemsOf(documentId)).toEqual([
      { kind: 'skipped', name: 'letters.zip/in/', reason: 'A folder, not a file' },
      { kind: 'known', name: 'letters.zip/.DS_Store', reason: expect.any(String) },
      { kind: 'exception', name: 'letters.zip/locked.txt', reason: 'The entry is encrypted' },
    ]);
    expect(await contents(documentId)).toEqual({
      seen: 5,
      documents: 2,
      duplicate: 0,
      known: 1,
      skipped: 1,
      exception: 1,
    });
  });

  test('that is run again makes nothing twice', async () => {
    const { documentId } = await kit.admit(letters, 'again.zip');
    await run();
    const before = [await childrenOf(documentId), await itemsOf(documentId)];
    await reprocess(db, documentId, kit.intake);
    await run();
    // Each time once more, without the entry that is encrypted.
    expect(unpackings).toBe(4);
    expect([await childrenOf(documentId), await itemsOf(documentId)]).toEqual(before);
    expect((await kit.latestIngestionOf(documentId)).status).toBe('completed');
  });

  test('that is empty ends with nothing in it', async () => {
    const { documentId } = await kit.admit(zipOf([]), 'empty.zip');
    await run();
    expect(await contents(documentId)).toMatchObject({ seen: 0, documents: 0 });
  });

  test('that is cut off gives what is left, with another engine, which is named', async () => {
    const { documentId } = await kit.admit(letters.subarray(0, 110), 'cut.zip');
    await run();
    expect(await childrenOf(documentId)).toMatchObject([{ name: 'one.txt' }]);
    expect(await contents(documentId)).toMatchObject({ engine: 'zip-entries', exception: 2 });
    const { rows } = await pool.query(
      "select data from events e join ingestions i on i.id = e.ingestion_id where type = 'WARNING' and document_id = $1",
      [documentId],
    );
    expect(rows).toMatchObject([{ data: { message: expect.stringMatching(/with zip-entries/) } }]);
  });

  test('that is damaged fails, and nothing comes of it', async () => {
    const { documentId } = await kit.admit(letters.subarray(0, 25), 'torn.zip');
    await run();
    expect(await kit.deadLettersOf(documentId)).toMatchObject([
      { stage: 'unpack', code: 'INVALID_FILE' },
    ]);
    expect(await childrenOf(documentId)).toEqual([]);
  });
});

describe('an encrypted archive', () => {
  const locked = zipOf([
    { name: 'open.txt', body: 'open' },
    { name: 'secret.txt', body: 'secret', password: 'sesame' },
  ]);
  const events = async (documentId: string) =>
    (
      await pool.query(
        "select data from events e join ingestions i on i.id = e.ingestion_id where type = 'PASSWORD_ACCEPTED' and document_id = $1",
        [documentId],
      )
    ).rows.map(({ data }) => data);
  const addPassword = (label: string, password: string) =>
    insertPassword(db, {
      workspaceId: kit.workspaceId,
      label,
      sealed: kit.resources.seal.seal(password),
    });

  test('of which nothing can be read fails, and opens with the password of its replay', async () => {
    const all = zipOf([{ name: 'secret.txt', body: 'secret', password: 'sesame' }]);
    const { documentId } = await kit.admit(all, 'locked.zip');
    await run();
    expect(await kit.deadLettersOf(documentId)).toMatchObject([
      { stage: 'unpack', code: 'PASSWORD_PROTECTED' },
    ]);
    const sealedPassword = kit.resources.seal.seal('sesame');
    await db.transaction((tx) => readmit(tx, documentId, kit.intake, { sealedPassword }));
    await run();
    expect(await contents(documentId)).toMatchObject({ seen: 1, documents: 1 });
    expect(await events(documentId)).toEqual([]);
  });

  test('gives what is not encrypted, and the rest when the workspace has its password', async () => {
    const { documentId } = await kit.admit(locked, 'half.zip');
    await run();
    expect(await contents(documentId)).toMatchObject({ seen: 2, documents: 1, exception: 1 });
    await addPassword('wrong', 'guess');
    await addPassword('from the client', 'sesame');
    await reprocess(db, documentId, kit.intake);
    await run();
    expect(await contents(documentId)).toMatchObject({ seen: 2, documents: 2, exception: 0 });
    expect(await events(documentId)).toEqual([{ documentId, label: 'from the client' }]);
    expect(JSON.stringify(await pool.query('select data from events'))).not.toContain('sesame');
    expect((await childrenOf(documentId)).map(({ name }) => name)).toEqual([
      'open.txt',
      'secret.txt',
    ]);
  });
});

describe('archives in archives', () => {
  const nested = (levels: number, body: Buffer): Buffer =>
    levels === 0 ? body : nested(levels - 1, zipOf([{ name: `${levels}.zip`, body }]));

  test('are unpacked down to a depth, and the last one says so', async () => {
    const { documentId } = await kit.admit(
      nested(depth, zipOf([{ name: 'a.txt', body: 'a' }])),
      'nest.zip',
    );
    await run();
    const { rows } = await pool.query(
      'select name, status from documents where root_id = $1 order by created_at',
      [documentId],
    );
    expect(rows.filter(({ status }) => status === 'completed')).toHaveLength(depth - 1);
    expect(rows.at(-1)).toMatchObject({ status: 'failed' });
    const letters = await pool.query(
      "select code from dead_letters where code = 'CONTAINER_TOO_LARGE'",
    );
    expect(letters.rows).toHaveLength(1);
  });

  test('count towards the limits of the file that was sent', async () => {
    const { documentId } = await kit.admit(nested(1, letters), 'counted.zip');
    await run();
    const [inner] = await childrenOf(documentId);
    const [leaf] = await childrenOf(inner?.id);
    expect(await readFamily(db, inner?.id)).toMatchObject({
      rootId: documentId,
      depth: 1,
      entries: 1,
      bytes: letters.length + 6,
    });
    expect(await readFamily(db, leaf?.id)).toMatchObject({
      rootId: documentId,
      depth: 2,
      entries: 3,
    });
  });

  test('are counted without looking at all that was found before', async () => {
    const many = Array.from({ length: 500 }, (_, i) => ({
      name: `${i}.txt`,
      body: `counted ${i}`,
    }));
    const { documentId } = await kit.admit(
      zipOf([{ name: 'inner.zip', body: letters }, ...many]),
      'many.zip',
    );
    await run();
    const inner = (await childrenOf(documentId)).find(({ name }) => name === 'inner.zip');
    const rows = await db.transaction(async (tx) => {
      const read = async () => {
        const counted = ['fetched', 'returned'].map(
          (what) => `pg_stat_get_xact_tuples_${what}('documents'::regclass)`,
        );
        return Number((await tx.execute(`select ${counted.join(' + ')} as n`)).rows[0]?.n);
      };
      await tx.execute('set local enable_seqscan = off');
      const before = await read();
      expect(await readFamily(tx, inner?.id)).toMatchObject({ rootId: documentId, entries: 501 });
      return (await read()) - before;
    });
    expect(rows).toBeLessThan(20);
  });

  test('that hold one of those around them end there', async () => {
    const { documentId } = await kit.admit(
      nested(1, zipOf([{ name: 'quine', body: 'quine' }])),
      'outer.zip',
    );
    // Simulated, because an archive that contains itself cannot be written here.
    const sha256 = createHash('sha256').update('quine').digest('hex');
    await drain(kit.runnerWith(), async (work) => {
      await pool.query('update documents set sha256 = $2 where id = $1', [documentId, sha256]);
      return inChild(work);
    });
    const [inner] = await childrenOf(documentId);
    expect(await itemsOf(inner?.id)).toMatchObject([
      { kind: 'exception', reason: 'The entry is identical to a container it is in' },
    ]);
  });
});

describe('mail', () => {
  const text = { type: 'text/plain', body: 'Please order.' };

  test('is the parent of its attachments, each of them accounted for', async () => {
    const signature = { type: 'application/pgp-signature', name: 'sig\0.asc', body: 'x' };
    const { documentId } = await kit.admit(
      mailOf([text, { type: 'text/csv', name: '../list.csv', body: 'a;b' }, signature]),
      'order.eml',
    );
    await run();
    expect(await kit.documentOf(documentId)).toMatchObject({ mediaType: 'message/rfc822' });
    expect(await childrenOf(documentId)).toMatchObject([
      { name: 'list.csv', status: 'completed', rootId: documentId },
    ]);
    expect(await itemsOf(documentId)).toEqual([
      {
        kind: 'skipped',
        name: 'order.eml/sig .asc',
        reason: 'A digital signature, not a document',
      },
    ]);
    expect(await contents(documentId)).toMatchObject({ seen: 2, documents: 1, skipped: 1 });
    expect((await findDocument(db, documentId))?.stages).toEqual(['claim', 'unpack', 'finalize']);
  });

  test('without attachments goes straight to its reader', async () => {
    const { documentId } = await kit.admit(
      'From: a@example.com\nMIME-Version: 1.0\nContent-Type: text/plain\n\nHello\n',
      'plain.eml',
    );
    await run();
    expect((await findDocument(db, documentId))?.stages).toEqual(['claim', 'finalize']);
    expect(unpackings).toBe(0);
  });

  test('is unpacked within archives and mail, and archives within mail', async () => {
    const forwarded = mailOf([text, { type: 'application/zip', name: 'in.zip', body: letters }]);
    const message = mailOf([
      text,
      { type: 'message/rfc822', name: 'forwarded.eml', body: forwarded },
    ]);
    const { documentId } = await kit.admit(
      zipOf([{ name: 'box.mbox', body: mboxOf([message]) }]),
      'mail.zip',
    );
    await run();
    const { rows } = await pool.query(
      'select name, media_type as type, status from documents where root_id = $1 and name not like $2 order by created_at',
      [documentId, '%.txt'],
    );
    expect(rows).toEqual([
      { name: 'box.mbox', type: 'application/mbox', status: 'completed' },
      { name: 'message-1.eml', type: 'message/rfc822', status: 'completed' },
      { name: 'forwarded.eml', type: 'message/rfc822', status: 'completed' },
      { name: 'in.zip', type: 'application/zip', status: 'completed' },
    ]);
  });

  test('that is nested too deeply is read, and its attachments are an exception', async () => {
    const nested = (levels: number): string =>
      levels === 0
        ? mailOf([text, { type: 'text/csv', name: 'deep.csv', body: 'a;b' }])
        : mailOf([
            text,
            { type: 'message/rfc822', name: `${levels}.eml`, body: nested(levels - 1) },
          ]);
    const { documentId } = await kit.admit(nested(depth), 'deep.eml');
    await run();
    const { rows } = await pool.query(
      'select id, status from documents where root_id = $1 order by created_at, name desc',
      [documentId],
    );
    expect(rows.map(({ status }) => status)).toEqual(Array(depth).fill('completed'));
    expect(await itemsOf(rows.at(-1)?.id)).toMatchObject([
      { kind: 'exception', reason: expect.stringContaining(`nested ${depth} levels deep`) },
    ]);
  });

  test('that holds too much fails, and nothing comes of it', async () => {
    const { documentId } = await kit.admit(nestedMail(60), 'x.eml');
    await run();
    expect(await kit.deadLettersOf(documentId)).toMatchObject([
      { stage: 'unpack', code: 'CONTAINER_TOO_LARGE' },
    ]);
    expect(await childrenOf(documentId)).toEqual([]);
  });
});

describe('in a batch', () => {
  test('what is found inside is of the batch, also when that was finished, and the ledger balances', async () => {
    const { id } = await kit.create();
    await kit.add(id, 'one.txt', 'one');
    const { documentId } = await kit.add(id, 'letters.zip', letters);
    await kit.start(id);
    await kit.finish(id, 2);
    await run();
    const batch = await kit.find(id);
    expect(batch).toMatchObject({ state: 'completed', documents: 3, completed: 3, itemsInside: 5 });
    expect(batch.ledger).toEqual({
      seen: 7,
      documents: 3,
      duplicate: 1,
      known: 1,
      skipped: 1,
      exception: 1,
    });
    expect(await contents(documentId)).toMatchObject({ seen: 5, documents: 1, duplicate: 1 });
    expect(await itemsOf(documentId)).toContainEqual({
      kind: 'duplicate',
      name: 'letters.zip/in/one.txt',
      reason: 'Duplicate: the batch already has the same bytes as one.txt',
    });
  });

  test('of two entries with the same bytes one is a duplicate', async () => {
    const { id } = await kit.create();
    const twins = zipOf([
      { name: 'a.txt', body: 'same' },
      { name: 'b.txt', body: 'same' },
    ]);
    const { documentId } = await kit.add(id, 'twins.zip', twins);
    await kit.start(id);
    await kit.finish(id);
    await run();
    expect(await contents(documentId)).toMatchObject({ seen: 2, documents: 1, duplicate: 1 });
    expect((await kit.find(id)).state).toBe('completed');
  });
});

describe('whatever happens on the way', () => {
  const many = zipOf(
    Array.from({ length: 150 }, (_, n) => ({ name: `${n}.txt`, body: `text ${n}` })),
  );
  /** Runs only the next stage of a document. */
  const next = async (documentId: string, runner = kit.runnerWith(), child = inChild) => {
    const { id: taskId, epoch, stage, lane } = await kit.taskOf(documentId);
    await runTask(runner, queueName(stage, lane), { taskId, epoch }, { inChild: child });
  };

  test('an attempt that ends between entries leaves nothing twice and nothing out', async () => {
    const { documentId } = await kit.admit(many, 'many.zip');
    await next(documentId);
    const { storage } = kit.resources;
    let puts = 0;
    const put: typeof storage.put = (...args) => {
      puts += 1;
      return puts > 120 ? Promise.reject(new Error('died')) : storage.put(...args);
    };
    const runner = kit.runnerWith();
    await next(documentId, {
      ...runner,
      resources: { ...runner.resources, storage: { ...storage, put } },
    });
    const taken = (await countContents(db, documentId, 150)).documents;
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThanOrEqual(120);
    await pool.query("update tasks set not_before = now() where state = 'ready'");
    await run();
    expect(await contents(documentId)).toMatchObject({ seen: 150, documents: 150 });
    expect(skipped).toEqual([0, taken - 1]);
  });

  test('one that needs more than its time is unpacked in several runs, none of them failed', async () => {
    const entries = Array.from({ length: 2500 }, (_, n) => ({ name: `${n}/.DS_Store` }));
    const { documentId } = await kit.admit(zipOf(entries), 'slow.zip');
    await next(documentId);
    await next(documentId);
    expect(await kit.taskOf(documentId)).toMatchObject({
      state: 'ready',
      attempts: 0,
      lastError: { message: expect.stringMatching(/entries of slow.zip are unpacked so far/) },
    });
    for (let runs = 1; (await kit.taskOf(documentId)).state === 'ready' && runs < 9; runs += 1) {
      await pool.query("update tasks set not_before = now() where state = 'ready'");
      await next(documentId);
    }
    expect(unpackings).toBeGreaterThan(1);
    expect(await contents(documentId)).toMatchObject({ seen: 2500, known: 2500 });
  });

  test('what a limit left out is unpacked when the limit is raised', async () => {
    const { documentId } = await kit.admit(many, 'limited.zip');
    await next(documentId);
    const runner = kit.runnerWith();
    const { settings } = runner.resources;
    const unpackSettings = { ...settings.unpack, entries: 20 };
    await next(documentId, {
      ...runner,
      resources: { ...runner.resources, settings: { ...settings, unpack: unpackSettings } },
    });
    expect(await contents(documentId)).toMatchObject({ seen: 21, documents: 20, exception: 1 });
    await reprocess(db, documentId, kit.intake);
    await run();
    expect(await contents(documentId)).toMatchObject({ seen: 150, documents: 150, exception: 0 });
  });

  test('a child that dies at the same entry each time costs the rest, not what came before', async () => {
    const { documentId } = await kit.admit(letters, 'deadly.zip');
    await next(documentId);
    const dying = async (work: ProcessorRequest) => {
      await inChild(work);
      throw new Error('died');
    };
    for (let runs = 0; (await kit.taskOf(documentId)).state === 'ready' && runs < 9; runs += 1) {
      await pool.query("update tasks set not_before = now() where state = 'ready'");
      await next(documentId, kit.runnerWith(), dying);
    }
    expect(unpackings).toBe(4);
    expect(await kit.deadLettersOf(documentId)).toEqual([]);
    expect(await contents(documentId)).toMatchObject({ seen: 5, documents: 2, exception: 1 });
    expect((await itemsOf(documentId)).at(-1)).toEqual({
      kind: 'exception',
      name: 'deadly.zip/(all further entries)',
      reason: 'Unpacking failed several times at this point',
    });
  });

  test('two at once, of whom one has lost its lease, take every entry in once', async () => {
    const { id } = await kit.create();
    const { documentId } = await kit.add(id, 'raced.zip', letters);
    await kit.start(id);
    await kit.finish(id, 1);
    await run();
    expect(await kit.find(id)).toMatchObject({
      state: 'completed',
      documents: 3,
      itemsSeen: 6,
      itemsInside: 5,
    });
    expect(await contents(documentId)).toMatchObject({ seen: 5, documents: 2 });
  });

  test('a sum that is off lets no container end', async () => {
    const { documentId } = await kit.admit(letters, 'off.zip');
    await next(documentId);
    await pool.query(
      "insert into batch_items (id, container_id, position, kind, name, reason) values (gen_random_uuid(), $1, 9999, 'known', '', '')",
      [documentId],
    );
    await next(documentId);
    expect(await kit.taskOf(documentId)).toMatchObject({
      state: 'ready',
      lastError: {
        message: expect.stringContaining('has 5 entries, but -1 are unaccounted for'),
      },
    });
    await pool.query(
      "delete from batch_items where position = 9999; update tasks set not_before = now() where state = 'ready'",
    );
    await run();
    expect(await contents(documentId)).toMatchObject({ seen: 5, documents: 2 });
  });

  test('what a cancelled batch would have got is skipped', async () => {
    const { id } = await kit.create();
    const { documentId } = await kit.add(id, 'late.zip', letters);
    await kit.start(id);
    await next(documentId);
    await next(documentId, kit.runnerWith(), async (work) => {
      await kit.cancel(id, 'partial');
      return inChild(work);
    });
    expect(
      (await itemsOf(documentId)).filter(({ reason }) => reason === 'The batch was cancelled'),
    ).toHaveLength(2);
    expect(await childrenOf(documentId)).toEqual([]);
  });
});

test('nothing that must hold is broken by all this', async () => {
  const broken = await checkInvariants(pool);
  // Entries are not read here, so these documents have no text; one of them was changed above.
  expect(broken.filter(({ invariant }) => invariant !== 'completed-was-read')).toEqual([]);
});
