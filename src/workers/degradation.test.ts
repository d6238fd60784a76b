import { afterAll, beforeAll, expect, test } from 'vitest';
import { drain } from '../../test/kit/drain.ts';
import { openTestEngine } from '../../test/kit/engine.ts';
import { beginning, eventsAfter } from '../db/events.ts';
import type { Page } from '../domain/transcription.ts';
import { LargeDocumentError } from '../errors.ts';
import { openLocalExtractor } from '../extraction/local.ts';
import type { Reader, SourceFile } from '../providers/ocr/port.ts';
import { pipeline } from './pipeline.ts';

const page = (text: string, changes: Partial<Page> = {}): Page => ({
  number: 1,
  width: 0,
  height: 0,
  text,
  words: [],
  quality: { score: 1, defects: [] },
  native: true,
  ...changes,
});
const poor = page('barely legible', {
  native: false,
  quality: { score: 0.2, defects: ['blurry'] },
});
const problems = [
  { code: 'OCR_SKIPPED' as const, message: 'Page 2 was not read by OCR: the process died' },
];

/** The pages of a file when it is read in full, and when only the readable ones are requested. */
let read = async (_: SourceFile): Promise<Page[]> => [page('text')];
const reader: Reader = {
  engine: 'test/1',
  read: async (file) => ({
    engine: 'test/1',
    pages: await read(file),
    embedded: [],
    problems: file.salvage ? problems : [],
  }),
  close: async () => undefined,
};

let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  engine = await openTestEngine(pipeline, { reader, extractor: openLocalExtractor() });
});
afterAll(() => engine.close());

/** Runs the whole pipeline without delays between attempts. */
async function ingest(body: string) {
  const { documentId } = await engine.admit(body);
  for (let runs = 1; runs > 0; ) {
    await engine.resources.database.pool.query(
      "update tasks set not_before = now() where state = 'ready'",
    );
    runs = await drain(engine.runnerWith());
  }
  return documentId;
}

/** Codes and messages of the warnings about a document, as readers of events see them. */
async function warningsOf(documentId: string) {
  const { db } = engine.resources.database;
  const found = await eventsAfter(db, beginning, { documentId, types: ['WARNING'] }, 100);
  return found.map((event) => ({ ...event.data, documentId: event.documentId }));
}

const died = () => Promise.reject(new Error('the process died'));

test('a document that cannot be read as a whole is read page by page, and a person looks at it', async () => {
  read = async ({ salvage }) => (salvage ? [page('Invoice 7')] : died());
  const id = await ingest('one bad page');
  expect(await engine.ingestionOf(id)).toMatchObject({
    status: 'completed',
    attemptCount: 4,
    pages: 1,
    problems: [
      ...problems,
      {
        code: 'TRUNCATED',
        message: 'The document could not be read as a whole; it was read page by page',
      },
    ],
    validStructuredData: false,
    verdict: { reasons: expect.arrayContaining([problems[0]?.message]) },
  });
  expect(await engine.documentOf(id)).toMatchObject({ needsHumanReview: true });
  expect(await engine.deadLettersOf(id)).toEqual([]);
  expect(await warningsOf(id)).toEqual([
    { ...problems[0], documentId: id },
    { code: 'TRUNCATED', message: expect.stringContaining('page by page'), documentId: id },
  ]);
});

test.each([
  ['contains no text', {}, false],
  ['are blank', { native: false }, false],
  ['blurred beyond reading', { native: false, quality: { score: 0, defects: [] } }, true],
] satisfies [string, Partial<Page>, boolean][])(
  'a document without text completes: %s',
  async (reason, changes, isDoubtful) => {
    read = async () => [page(' \n', changes)];
    const id = await ingest(`no text: ${reason}`);
    const { status, problems: found, verdict } = await engine.ingestionOf(id);
    expect(status).toBe('completed');
    expect(found).toMatchObject([
      { code: 'TEXT_UNAVAILABLE', message: expect.stringContaining(reason) },
    ]);
    expect(await warningsOf(id)).toMatchObject([{ code: 'TEXT_UNAVAILABLE', documentId: id }]);
    const reasons = expect.arrayContaining([expect.stringContaining(reason)]);
    if (isDoubtful) expect(verdict).toMatchObject({ reasons });
    else expect(verdict).not.toMatchObject({ reasons });
  },
);

test('a document of which nothing can be read is dead, with the reason', async () => {
  read = async ({ salvage }) => (salvage ? [page(' ')] : died());
  const id = await ingest('bad pages only');
  expect(await engine.deadLettersOf(id)).toMatchObject([
    { code: 'TEXT_UNAVAILABLE', stage: 'transcribe', message: problems[0]?.message },
  ]);
});

test('a document whose cleaning fails goes on as it was read, and a person looks at it', async () => {
  read = async () => [poor];
  const id = await ingest('a poor scan');
  expect((await engine.trailOf(id)).filter((each) => !each.startsWith('extract'))).toEqual([
    'claim:single',
    'transcribe:illegible',
    ...Array.from({ length: 4 }, () => 'preprocess:retry'),
    'preprocess:skipped',
    'finalize:finalized',
  ]);
  expect(await engine.ingestionOf(id)).toMatchObject({
    status: 'completed',
    problems: [{ code: 'CLEANING_SKIPPED' }],
    validStructuredData: false,
  });
  expect(await warningsOf(id)).toMatchObject([{ code: 'CLEANING_SKIPPED', documentId: id }]);
});

test('a document whose cleaned pages cannot be read keeps what was read before', async () => {
  read = async ({ path }) => (path.endsWith('preprocessed') ? died() : [poor]);
  const { documentId } = await engine.admit('a poor scan, cleaned');
  await drain(engine.runnerWith());
  const { id } = await engine.ingestionOf(documentId);
  const { pool } = engine.resources.database;
  await pool.query(
    "update ingestions set preprocessed_key = 'x', preprocessed_type = 'image/png', preprocessed_pages = '[1]' where id = $1",
    [id],
  );
  await pool.query(
    "update tasks set stage = 'transcribe', lane = 'large', failures = 2, not_before = now() where ingestion_id = $1",
    [id],
  );
  await drain(engine.runnerWith());
  expect(await engine.ingestionOf(documentId)).toMatchObject({
    status: 'completed',
    transcriptionQuality: expect.closeTo(0.2),
    problems: [{ code: 'CLEANING_SKIPPED' }],
  });
});

test('a document that turns out to have many pages is read in the large lane, where none are too many', async () => {
  const seen: Partial<SourceFile>[] = [];
  read = async ({ lane, largeFrom }) => {
    seen.push({ lane, largeFrom });
    if (lane === 'small') throw new LargeDocumentError('many pages');
    return [page('text')];
  };
  const id = await ingest('many pages');
  expect(seen).toEqual([{ lane: 'small', largeFrom: 100 }, { lane: 'large' }]);
  expect(await engine.ingestionOf(id)).toMatchObject({ status: 'completed', attemptCount: 0 });
});
