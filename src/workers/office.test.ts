import { afterAll, beforeAll, expect, test } from 'vitest';
import { drain } from '../../test/kit/drain.ts';
import { openTestEngine } from '../../test/kit/engine.ts';
import { officeOf } from '../../test/kit/office.ts';
import { listChildren } from '../db/containers.ts';
import { openLocalExtractor } from '../extraction/local.ts';
import { openLocalReader } from '../providers/ocr/local/index.ts';
import { operations } from '../sandbox/operations.ts';
import { runOperation } from '../sandbox/run-operation.ts';
import { openSandbox } from '../sandbox/sandbox.ts';
import { loadTranscription } from '../storage/transcriptions.ts';
import { pipeline } from './pipeline.ts';

const sandbox = openSandbox({ processes: 1, memoryMb: 1024, recycleAfter: 100 });
let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  const limits = { maxPages: 100, maxPixels: 1_000_000, pageTimeoutMs: 60_000 };
  const reader = openLocalReader({ sandbox, ...limits, languages: [] });
  engine = await openTestEngine(pipeline, { reader, sandbox, extractor: openLocalExtractor() });
});
afterAll(() => engine.close());

test('a Word document with an embedded file is unpacked and read: the parent of its family', async () => {
  const body = '<w:p><w:r><w:t>Dear Sir, see the attachment.</w:t></w:r></w:p>';
  const file = officeOf('word', [
    { name: 'word/document.xml', body },
    { name: 'word/embeddings/note.txt', body: 'An embedded note' },
    { name: 'docProps/core.xml', body: '<c><dc:creator>Ada</dc:creator></c>' },
  ]);
  const { documentId } = await engine.admit(file, 'letter.bin');
  await drain(engine.runnerWith(), (work) => runOperation(operations, work));
  const { db } = engine.resources.database;
  expect(await engine.documentOf(documentId)).toMatchObject({
    status: 'completed',
    mediaType: expect.stringContaining('wordprocessingml'),
    metadata: { author: 'Ada' },
  });
  const { transcriptionKey, transcriptionSha256 } = await engine.ingestionOf(documentId);
  const { pages } = await loadTranscription(
    engine.resources.storage,
    transcriptionKey ?? '',
    transcriptionSha256 ?? '',
  );
  expect(pages.map(({ text }) => text)).toEqual(['Dear Sir, see the attachment.']);
  const [child] = await listChildren(db, documentId);
  expect(child).toMatchObject({ path: 'note.txt' });
  expect(await engine.documentOf(child?.id ?? '')).toMatchObject({
    status: 'completed',
    rootId: documentId,
    position: 0,
  });
});
