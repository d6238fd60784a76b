import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encryptedPdf, smallPng } from '../../test/kit/bad-files.ts';
import { drain } from '../../test/kit/drain.ts';
import { openTestEngine } from '../../test/kit/engine.ts';
import { remoteExtractor } from '../../test/kit/remote-extractor.ts';
import { deadLetters } from '../db/schema/dead-letters.ts';
import { ingestions } from '../db/schema/ingestions.ts';
import { overrides as overridesSchema } from '../domain/overrides.ts';
import { PermanentError } from '../errors.ts';
import { keys } from '../lib/keys.ts';
import { HOUR } from '../lib/time.ts';
import { openChoice } from '../providers/choice.ts';
import { openLocalReader } from '../providers/ocr/local/index.ts';
import type { Reader } from '../providers/ocr/port.ts';
import { openSandbox } from '../sandbox/sandbox.ts';
import { loadTranscription } from '../storage/transcriptions.ts';
import { pipeline } from '../workers/pipeline.ts';
import { replay } from './replay.ts';

/**
 * The real stages, with a reader that can be observed, and a reader and an extractor that can be
 * broken.
 */
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
const localExtractor = remoteExtractor();
const extractor: typeof localExtractor = {
  ...localExtractor,
  extract(...args) {
    if (broken.extractor) throw new PermanentError('PROVIDER_REFUSED', 'extractor is broken');
    return localExtractor.extract(...args);
  },
};

let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  const spare = {
    ...localExtractor,
    extract: async (...args: Parameters<typeof localExtractor.extract>) => ({
      ...(await localExtractor.extract(...args)),
      model: 'spare/1',
    }),
  };
  const engines = {
    ocr: openChoice({ spare: async () => ({ ...local, engine: 'spare/1' }) }),
    llm: openChoice({ spare: async () => ({ ...spare, engine: 'spare/1' }) }),
  };
  engine = await openTestEngine(pipeline, { reader, extractor, engines });
});
afterAll(async () => {
  await engine.close();
  await sandbox.close();
});

/** A document that fails while one of the two is broken, and its dead letter. */
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
  replay(
    engine.resources.database.db,
    { id, workspaceId: undefined },
    { first: 'claim', giveUpMs: HOUR },
    overrides,
  );
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
  expect(await again(letter.id, { overrides: { fromStage: 'extract' } })).toMatchObject({
    outcome: 'replayed',
  });
  await drain(engine.runnerWith());
  expect(readings).toBe(before);
  const { transcriptionKey } = await engine.ingestionOf(documentId);
  expect(await latest(documentId)).toMatchObject({
    status: 'completed',
    pages: 1,
    transcriptionKey,
  });
});

test('a run does not begin at a stage that the failed one did not reach', async () => {
  const { letter } = await failing('reader', 'Invoice never read', 'unread.txt');
  await expect(again(letter.id, { overrides: { fromStage: 'extract' } })).rejects.toThrow(
    /has no transcription yet/,
  );
  const { db } = engine.resources.database;
  expect(await db.select().from(deadLetters).where(eq(deadLetters.id, letter.id))).toMatchObject([
    { state: 'open' },
  ]);
});

test('a run without OCR says which pages it did not read', async () => {
  const { documentId, letter } = await failing('reader', await smallPng(), 'scan.png');
  await again(letter.id, { overrides: { noOcr: true } });
  await drain(engine.runnerWith());
  expect(await latest(documentId)).toMatchObject({
    status: 'completed',
    problems: [{ code: 'OCR_SKIPPED', message: 'Page 1 was not read by OCR, as requested' }],
  });
});

describe('an encrypted PDF', () => {
  const withPassword = async (id: string, password: string) => {
    const outcome = await again(id, { sealedPassword: engine.resources.seal.seal(password) });
    await drain(engine.runnerWith());
    return outcome;
  };

  test('is read with its password, and refused with another', async () => {
    const { documentId } = await engine.admit(await encryptedPdf(), 'locked.pdf');
    await drain(engine.runnerWith());
    const [letter] = await engine.deadLettersOf(documentId);
    expect(letter).toMatchObject({
      code: 'PASSWORD_PROTECTED',
      message: expect.stringContaining('without a password'),
    });
    await withPassword(letter?.id ?? '', 'guess');
    const failed = await latest(documentId);
    expect(failed).toMatchObject({
      status: 'failed',
      sealedPassword: null,
      problems: [{ code: 'PASSWORD_PROTECTED', message: 'The password does not open the PDF' }],
    });
    const { db } = engine.resources.database;
    const [second] = await db
      .select()
      .from(deadLetters)
      .where(eq(deadLetters.ingestionId, failed?.id ?? ''));
    await withPassword(second?.id ?? '', 'open sesame');
    const read = await latest(documentId);
    expect(read).toMatchObject({
      status: 'completed',
      pages: 1,
      sealedPassword: null,
      problems: [],
    });
    const { transcriptionKey, transcriptionSha256 } = read ?? {};
    const { pages } = await loadTranscription(
      engine.resources.storage,
      transcriptionKey ?? '',
      transcriptionSha256 ?? '',
    );
    expect(pages[0]?.text).toContain('Secret');
  });
});

describe('a run with other engines', () => {
  test('is read and extracted by those', async () => {
    const { documentId, letter } = await failing('reader', 'Read by another', 'other.txt');
    broken.reader = true;
    await again(letter.id, { overrides: { provider: { ocr: 'spare', llm: 'spare' } } });
    await drain(engine.runnerWith());
    broken.reader = false;
    expect(await latest(documentId)).toMatchObject({
      status: 'completed',
      extractionModel: 'spare/1',
    });
  });

  test('fails for good where its worker does not know them', async () => {
    const { documentId, letter } = await failing('reader', 'Read by nobody', 'nobody.txt');
    await again(letter.id, { overrides: { provider: { ocr: 'crystal ball' } } });
    await drain(engine.runnerWith());
    expect(await latest(documentId)).toMatchObject({
      status: 'failed',
      problems: [
        { code: 'PROVIDER_NOT_CONFIGURED', message: expect.stringContaining('Configured: spare') },
      ],
    });
  });
});

test('every stage that a run may begin at is one of the pipeline', () => {
  expect(keys(pipeline)).toEqual(
    expect.arrayContaining(overridesSchema.shape.fromStage.unwrap().options),
  );
});
