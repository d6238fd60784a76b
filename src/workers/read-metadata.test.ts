import { PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drain } from '../../test/kit/drain.ts';
import { openTestEngine } from '../../test/kit/engine.ts';
import { openLocalExtractor } from '../extraction/local.ts';
import type { Reader } from '../providers/ocr/port.ts';
import { pipeline } from './pipeline.ts';

const quality = { score: 1, defects: [] };
const page = { number: 1, width: 0, height: 0, text: 'text', words: [], quality, native: true };
const reader: Reader = {
  engine: 'test/1',
  read: async () => ({ engine: 'test/1', pages: [page], embedded: [], problems: [] }),
  close: async () => undefined,
};

let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  engine = await openTestEngine(pipeline, { reader, extractor: openLocalExtractor() });
});
afterAll(() => engine.close());

async function ingest(body: Buffer) {
  const { documentId } = await engine.admit(body, 'a.pdf');
  await drain(engine.runnerWith());
  const { status } = await engine.ingestionOf(documentId);
  const { metadata } = await engine.documentOf(documentId);
  const events = await engine.eventsOf(documentId);
  const warnings = events.filter(({ type }) => type === 'WARNING').map(({ data }) => data.message);
  return { status, metadata, warnings };
}

test('metadata is stored with the document, also when its text was read before', async () => {
  const pdf = await PDFDocument.create();
  pdf.setTitle('Minutes');
  pdf.addPage();
  const body = Buffer.from(await pdf.save());
  for (const _ of ['read', 'reused'])
    expect(await ingest(body)).toMatchObject({
      status: 'completed',
      metadata: { title: 'Minutes', pages: 1, signed: false },
      warnings: [],
    });
});

test('metadata that cannot be read is a warning, and the document completes', async () => {
  expect(await ingest(Buffer.from('%PDF-1.7\nnothing else'))).toEqual({
    status: 'completed',
    metadata: null,
    warnings: ['The metadata could not be read: The PDF is damaged and cannot be opened'],
  });
});
