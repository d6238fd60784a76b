import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestBatches } from '../../test/kit/batches.ts';
import { newId } from '../lib/ids.ts';
import type { NewDocument } from './insert-documents.ts';

let kit: Awaited<ReturnType<typeof openTestBatches>>;
beforeAll(async () => {
  kit = await openTestBatches();
});
afterAll(() => kit.close());

function newDocument(changes: Partial<NewDocument> = {}): NewDocument {
  const id = newId();
  return {
    id,
    workspaceId: kit.workspaceId,
    batchId: null,
    name: 'scan.pdf',
    declaredType: null,
    storageKey: `documents/${id}.pdf`,
    idempotencyKey: null,
    bytes: 1,
    md5: id,
    sha1: id,
    sha256: id,
    ...changes,
  };
}

const admitAtOnce = (documents: NewDocument[]) => Promise.allSettled(documents.map((each) => kit.intake.admit(each)));

const outcomesOf = (results: Awaited<ReturnType<typeof admitAtOnce>>) =>
  results.map((result) => (result.status === 'fulfilled' ? result.value.outcome : 'failed'));

/** Events of documents, and the transactions that wrote them. */
async function added(documents: NewDocument[]) {
  const { rows } = await kit.pool.query<{ documents: number; transactions: number }>(
    `select count(*)::int as documents, count(distinct xid)::int as transactions
       from events where type = 'DOCUMENT_ADDED' and data->>'documentId' = any($1)`,
    [documents.map(({ id }) => id)],
  );
  return rows[0];
}

test('documents that come at the same time are committed together, each with its first task', async () => {
  const documents = Array.from({ length: 20 }, () => newDocument());
  expect(new Set(outcomesOf(await admitAtOnce(documents)))).toEqual(new Set(['added']));
  expect(await added(documents)).toEqual({ documents: 20, transactions: 1 });
  for (const { id } of documents) expect(await kit.taskOf(id)).toMatchObject({ stage: 'claim', state: 'ready' });
});

test('one that cannot be admitted fails alone', async () => {
  const documents = [newDocument(), newDocument({ name: 'no\0name' }), newDocument()];
  expect(outcomesOf(await admitAtOnce(documents))).toEqual(['added', 'failed', 'added']);
  expect(await added(documents)).toMatchObject({ documents: 2 });
});

test('of two with the same name or bytes that come together the second is told of the first', async () => {
  const { id: batchId } = await kit.create();
  const sha256 = randomUUID();
  const [first, ...others] = [
    newDocument({ batchId, sha256, idempotencyKey: 'one' }),
    newDocument({ batchId, sha256 }),
    newDocument({ batchId, idempotencyKey: 'one' }),
    newDocument({ batchId }),
  ];
  const results = await admitAtOnce([first, ...others]);
  expect(outcomesOf(results)).toEqual(['added', 'duplicate', 'repeated', 'added']);
  expect(results.slice(0, 3)).toMatchObject(Array.from({ length: 3 }, () => ({ value: { documentId: first.id } })));
  expect(await kit.find(batchId)).toMatchObject({ itemsSeen: 3, documents: 2, open: 2 });
});

test('one that was committed though its answer got lost stays as it is when it is tried again', async () => {
  const { id: batchId } = await kit.create();
  for (const document of [newDocument(), newDocument({ batchId, idempotencyKey: randomUUID() })]) {
    await kit.intake.admit(document);
    expect(await kit.intake.admit(document)).toMatchObject({ outcome: 'added', documentId: document.id });
    expect(await added([document])).toEqual({ documents: 1, transactions: 1 });
  }
  expect(await kit.find(batchId)).toMatchObject({ itemsSeen: 1, documents: 1, open: 1 });
});
