import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallPng } from '../../test/kit/bad-files.ts';
import { openTestEngine } from '../../test/kit/engine.ts';
import { deadLetters } from '../db/schema/dead-letters.ts';
import { ingestions } from '../db/schema/ingestions.ts';
import { overrides as overridesSchema } from '../domain/overrides.ts';
import { drain } from '../engine/drain.ts';
import { PermanentError } from '../errors.ts';
import { keys } from '../lib/keys.ts';
import { HOUR } from '../lib/time.ts';
import { openLocalExtractor } from '../providers/llm/local.ts';
import { openLocalReader } from '../providers/ocr/local.ts';
import type { Reader } from '../providers/ocr/port.ts';
import { openSandbox } from '../sandbox/sandbox.ts';
import { pipeline } from '../workers/pipeline.ts';
import { replay } from './replay.ts';

/** The real stages, with a reader that can be seen and an extractor and reader that can be broken. */
const broken = { reader: false, extractor: false };
let readings = 0;
const sandbox = openSandbox({ processes: 1, memoryMb: 1024, recycleAfter: 100 });
const local = openLocalReader({
  sandbox,
  maxPages: 10,
  maxPixels: 50_000_000,
  languages: [],
  pageTimeoutMs: 60_000,
});
const reader: Reader = {
  ...local,
  read(file, signal) {
    readings += 1;
    if (broken.reader) throw new PermanentError('PROVIDER_REFUSED', 'reader is broken');
    return local.read(file, signal);
  },
};
const localExtractor = openLocalExtractor();
const extractor: typeof localExtractor = {
  ...localExtractor,
  extract(...args) {
    if (broken.extractor) throw new PermanentError('PROVIDER_REFUSED', 'extractor is broken');
    return localExtractor.extract(...args);
  },
};

let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  engine = await openTestEngine(pipeline, { reader, extractor });
});
afterAll(async () => {
  await engine.close();
  await sandbox.close();
});

/** A document that fails as long as one of the two is broken, and its dead letter. */
async function failing(part: keyof typeof broken, body: string | Buffer, name: string) {
  broken[part] = true;
  const { documentId } = await engine.admit(body, name);
  await drain(engine.runnerWith());
  broken[part] = false;
  const [letter] = await engine.deadLettersOf(documentId);
  if (!letter) throw new Error('It did not fail');
  return { documentId, letter };
}

const again = (id: string, overrides: Parameters<typeof replay>[3]) =>
  replay(engine.resources.database.db, { id, workspaceId: undefined }, { first: 'claim', giveUpMs: HOUR }, overrides);
const latest = async (documentId: string) => {
  const { db } = engine.resources.database;
  const { ingestionId } = await engine.documentOf(documentId);
  const [ingestion] = await db.select().from(ingestions).where(eq(ingestions.id, ingestionId));
  return ingestion;
};

test('a run may begin at a later stage with what the failed one had read', async () => {
  const { documentId, letter } = await failing('extractor', 'Invoice 4711', 'letter.txt');
  expect(letter.stage).toBe('extract');
  const before = readings;
  expect(await again(letter.id, { overrides: { fromStage: 'extract' } })).toMatchObject({ outcome: 'replayed' });
  await drain(engine.runnerWith());
  expect(readings).toBe(before);
  const { transcriptionKey } = await engine.ingestionOf(documentId);
  expect(await latest(documentId)).toMatchObject({ status: 'completed', pages: 1, transcriptionKey });
});

test('a run does not begin at a stage that the failed one did not reach', async () => {
  const { letter } = await failing('reader', 'Invoice never read', 'unread.txt');
  await expect(again(letter.id, { overrides: { fromStage: 'extract' } })).rejects.toThrow(/not transcribed yet/);
  const { db } = engine.resources.database;
  expect(await db.select().from(deadLetters).where(eq(deadLetters.id, letter.id))).toMatchObject([{ state: 'open' }]);
});

test('a run without OCR says which pages it did not read', async () => {
  const { documentId, letter } = await failing('reader', await smallPng(), 'scan.png');
  await again(letter.id, { overrides: { noOcr: true } });
  await drain(engine.runnerWith());
  expect(await latest(documentId)).toMatchObject({
    status: 'completed',
    problems: [{ code: 'OCR_SKIPPED', message: 'Page 1 was not read by OCR, as asked for' }],
  });
});

test('every stage that a run may begin at is one of the pipeline', () => {
  expect(keys(pipeline)).toEqual(expect.arrayContaining(overridesSchema.shape.fromStage.unwrap().options));
});
