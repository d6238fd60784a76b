import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { recordProblem } from '../db/problems.ts';
import { ingestions } from '../db/schema/ingestions.ts';
import { detectLanguage } from '../domain/language.ts';
import { pickBetterPages } from '../domain/pick-better-pages.ts';
import type { Problem } from '../domain/problem.ts';
import {
  averageQuality,
  joinText,
  pagesToRepair,
  type Transcription,
} from '../domain/transcription.ts';
import { spend } from '../engine/budget/spend.ts';
import { done, reject } from '../engine/pipeline/outcome.ts';
import { defineStage, type StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { failpoint } from '../lib/test-hooks.ts';
import { MINUTE } from '../lib/time.ts';
import type { SourceFile } from '../providers/ocr/port.ts';
import type { Artifact } from '../storage/artifacts.ts';
import { download } from '../storage/download.ts';
import { storageKeys } from '../storage/keys.ts';
import {
  findTranscription,
  loadTranscription,
  saveTranscription,
} from '../storage/transcriptions.ts';
import { withReader } from './chosen-engine.ts';
import { fetchOriginal } from './original.ts';
import { findPaidResult, storeWhenPossible } from './paid-result.ts';
import { readMetadata } from './read-metadata.ts';
import { tryPasswords } from './try-passwords.ts';

/**
 * Reads the document. A document of poor quality goes to preprocessing and comes back for a second
 * pass over the cleaned pages. A cleaned page replaces the first reading only if its quality is
 * better.
 */
export const transcribe = defineStage({
  concurrency: 4,
  timeoutMs: 15 * MINUTE,
  lanes: {
    large: { concurrency: 1, timeoutMs: 60 * MINUTE },
    degrade: async (document, given) => {
      const context = await withReader(document, given);
      return (document.ingestion.preprocessedKey ? keepFirst : salvage)(document, context);
    },
  },
  async run(document, given) {
    const context = await withReader(document, given);
    const { ingestion } = document;
    const pass = ingestion.preprocessedKey ? 2 : 1;
    const { noOcr } = ingestion.overrides;
    const read = () =>
      pass === 1 ? readOriginal(document, context, {}) : readCleaned(document, context);
    const { value, sha256 } = await readOnce(document, context, {
      pass,
      manner: noOcr ? 'no-ocr' : pictureManner(context),
      read,
    });
    const illegible =
      !noOcr && pagesToRepair(value.pages, context.settings.qualityThreshold).length > 0;
    const values = findings(
      value,
      { key: storageKeys.transcription(ingestion.id, pass), sha256 },
      context,
    );
    const saveMetadata = pass === 1 ? await readMetadata(document, context) : undefined;
    return done(pass === 1 && illegible ? 'illegible' : 'readable', async (tx) => {
      await tx.update(ingestions).set(values).where(eq(ingestions.id, ingestion.id));
      await saveMetadata?.(tx);
    });
  },
});

/** The share of the time limit spent reading; the rest is left to store the result. */
const readingShare = 0.8;

const truncated: Problem = {
  code: 'TRUNCATED',
  message: 'The document could not be read as a whole; it was read page by page',
};

/** Takes the embedded text of the file, and reads the other pages one by one where possible. */
async function salvage(document: StageDocument, context: StageContext) {
  const { id } = document.ingestion;
  const outOfTime = AbortSignal.timeout(Math.floor(context.timeoutMs * readingShare));
  const read = () => readOriginal(document, context, { salvage: outOfTime });
  const { value, sha256 } = await readOnce(document, context, {
    pass: 1,
    manner: 'salvaged',
    read,
  });
  if (joinText(value).trim() === '') {
    const [problem] = value.problems;
    return reject('TEXT_UNAVAILABLE', problem?.message ?? 'No page could be read');
  }
  const values = findings(value, { key: storageKeys.transcription(id, 1), sha256 }, context);
  const problems = [...value.problems, truncated];
  const saveMetadata = await readMetadata(document, context);
  return done('readable', async (tx) => {
    await tx
      .update(ingestions)
      .set({ ...values, problems })
      .where(eq(ingestions.id, id));
    await saveMetadata?.(tx);
  });
}

/** Reading the cleaned pages failed: the first reading is kept. */
async function keepFirst({ ingestion: { id } }: StageDocument) {
  const problem: Problem = {
    code: 'CLEANING_SKIPPED',
    message: 'The cleaned pages could not be read; the text of the uncleaned pages was used',
  };
  return done('readable', (tx) => recordProblem(tx, id, problem));
}

function findings(
  transcription: Transcription,
  { key, sha256 }: { key: string; sha256: string },
  { metrics }: StageContext,
) {
  const { pages, problems } = transcription;
  const quality = averageQuality(pages);
  metrics.transcribed(quality);
  return {
    transcriptionKey: key,
    transcriptionSha256: sha256,
    transcriptionQuality: quality,
    pages: pages.length,
    language: detectLanguage(joinText(transcription)) ?? null,
    problems,
  };
}

interface Reading {
  pass: 1 | 2;
  /** Part of the cache key: keeps a special reading from being reused as a usual one. */
  manner: string | undefined;
  read(): Promise<Transcription>;
}

/** Reuses an earlier reading of the same bytes by the same engine: reading is expensive. */
async function readOnce(
  document: StageDocument,
  context: StageContext,
  { pass, manner, read }: Reading,
): Promise<Artifact<Transcription>> {
  const source = [document.sha256, pass, context.reader.engine, ...(manner ? [manner] : [])].join(
    '/',
  );
  const keyOf = (ingestionId: string) => storageKeys.transcription(ingestionId, pass);
  const found = await findPaidResult(document, context, {
    stage: 'transcribe',
    source,
    keyOf,
    find: findTranscription,
  });
  const result = found?.value ?? (await read());
  failpoint('transcribe', 'read', document.name);
  const key = keyOf(document.ingestion.id);
  const stored = await storeWhenPossible(
    () => saveTranscription(context.storage, key, source, result),
    context,
  );
  failpoint('transcribe', 'stored', document.name);
  return stored;
}

/** Results with other settings for pictures are not reused. */
function pictureManner({ settings: { inlineOcr } }: StageContext): string {
  return `pictures-${inlineOcr.most}-${inlineOcr.minPixels}`;
}

async function readOriginal(
  document: StageDocument,
  context: StageContext,
  how: Pick<SourceFile, 'salvage'>,
): Promise<Transcription> {
  const { settings, lane } = context;
  const path = await fetchOriginal(document, context);
  const { noOcr, lane: asked } = document.ingestion.overrides;
  // An explicitly requested small lane is kept, whatever the number of pages.
  const largeFrom = lane === 'small' && asked === undefined ? settings.largePages : undefined;
  const mediaType = document.mediaType ?? 'application/octet-stream';
  const file = { path, mediaType, noOcr, lane, largeFrom, ...how };
  return tryPasswords(document, context, async (password) => {
    const pictures = noOcr || how.salvage ? undefined : await pictureOptions(context);
    return readFile(document, context, { ...file, password, pictures });
  });
}

async function pictureOptions({ settings: { inlineOcr }, workDirectory }: StageContext) {
  if (inlineOcr.most === 0) return undefined;
  return { ...inlineOcr, directory: await mkdtemp(join(await workDirectory(), 'pictures-')) };
}

async function readFile(
  document: StageDocument,
  context: StageContext,
  file: SourceFile,
): Promise<Transcription> {
  const { reader, signal, metrics } = context;
  const read = await spend(document, context, {
    engine: reader.engine,
    quote: (await reader.quote?.(file, signal)) ?? 0,
    buy: (charge) => reader.read(file, signal, charge),
  });
  metrics.pagesRead(read.engine, read.pages.length);
  return read;
}

async function readCleaned(document: StageDocument, context: StageContext): Promise<Transcription> {
  const { storage, signal, lane, workDirectory } = context;
  const {
    preprocessedKey,
    preprocessedType,
    preprocessedPages,
    transcriptionKey,
    transcriptionSha256,
  } = document.ingestion;
  if (
    !preprocessedKey ||
    !preprocessedType ||
    !preprocessedPages ||
    !transcriptionKey ||
    !transcriptionSha256
  ) {
    throw new Error('The second pass needs the first transcription and the cleaned pages');
  }
  const path = join(await workDirectory(), 'preprocessed');
  await download(storage, preprocessedKey, path, { signal });
  const first = await loadTranscription(storage, transcriptionKey, transcriptionSha256);
  const { pages } = await readFile(document, context, { path, mediaType: preprocessedType, lane });
  const second = pages
    .map((page) => ({ ...page, number: preprocessedPages[page.number - 1] ?? 0 }))
    .filter(({ number }) => number > 0);
  return { ...first, pages: pickBetterPages(first.pages, second) };
}
