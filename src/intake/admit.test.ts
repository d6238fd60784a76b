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
    path: null,
    declaredType: null,
    documentType: null,
    storageKey: `documents/${id}.pdf`,
    idempotencyKey: null,
    traceparent: null,
    bytes: 1,
    md5: id,
    sha1: id,
    sha256: id,
    ...changes,
  };
}

const admitAtOnce = (documents: NewDocument[]) =>
  Promise.allSettled(documents.map((each) => kit.intake.admit(each)));

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
  for (const { id } of documents)
    expect(await kit.taskOf(id)).toMatchObject({ stage: 'claim', state: 'ready' });
});

test('one that cannot be admitted fails alone', async () => {
  const documents = [newDocument(), newDocument({ name: 'no\0name' }), newDocument()];
  expect(outcomesOf(await admitAtOnce(documents))).toEqual(['added', 'failed', 'added']);
  expect(await added(documents)).toMatchObject({ documents: 2 });
});

test.each([
  ['bytes', 'duplicate', { sha256: 'the same' }, { itemsSeen: 3, documents: 2, open: 2 }],
  [
    'name',
    'repeated',
    { idempotencyKey: 'one', sha256: 'of one' },
    { itemsSeen: 2, documents: 2, open: 2 },
  ],
] as const)(
  'of two with the same %s that come together the second is a %s',
  async (_, outcome, same, counted) => {
    const { id: batchId } = await kit.create();
    const first = newDocument({ batchId, ...same });
    const results = await admitAtOnce([
      first,
      newDocument({ batchId, ...same }),
      newDocument({ batchId }),
    ]);
    expect(outcomesOf(results).toSorted()).toEqual(['added', 'added', outcome]);
    expect(await kit.find(batchId)).toMatchObject(counted);
  },
);

test('one that was committed though its answer got lost stays as it is when it is tried again', async () => {
  const { id: batchId } = await kit.create();
  for (const document of [newDocument(), newDocument({ batchId, idempotencyKey: randomUUID() })]) {
    await kit.intake.admit(document);
    expect(await kit.intake.admit(document)).toMatchObject({
      outcome: 'added',
      documentId: document.id,
    });
    expect(await added([document])).toEqual({ documents: 1, transactions: 1 });
  }
  expect(await kit.find(batchId)).toMatchObject({ itemsSeen: 1, documents: 1, open: 1 });
});
