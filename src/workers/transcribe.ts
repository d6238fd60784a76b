import { eq } from 'drizzle-orm';
import type { Db } from '../db/index.ts';
import { recordProblem, warn } from '../db/problems.ts';
import { ingestions } from '../db/schema/ingestions.ts';
import { detectLanguage } from '../domain/language.ts';
import { findMissingText } from '../domain/missing-text.ts';
import type { Problem } from '../domain/problem.ts';
import {
  averageQuality,
  joinText,
  pagesToRepair,
  type Transcription,
} from '../domain/transcription.ts';
import { done, reject } from '../engine/pipeline/outcome.ts';
import { defineStage, type StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { MINUTE } from '../lib/time.ts';
import { storageKeys } from '../storage/keys.ts';
import { withReader } from './chosen-engine.ts';
import { pictureManner, readCleaned, readOnce, readOriginal } from './read-document.ts';
import { readMetadata } from './read-metadata.ts';

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
    const isRepaired = pass === 1 && illegible;
    const problems = [...value.problems, ...(isRepaired ? [] : findMissingText(value))];
    const key = storageKeys.transcription(ingestion.id, pass);
    const values = findings({ ...value, problems }, { key, sha256 }, context);
    const saveMetadata = pass === 1 ? await readMetadata(document, context) : undefined;
    return done(isRepaired ? 'illegible' : 'readable', async (tx) => {
      await saveFindings(tx, document, values);
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
  const problems = [...value.problems, truncated];
  const key = storageKeys.transcription(id, 1);
  const values = findings({ ...value, problems }, { key, sha256 }, context);
  const saveMetadata = await readMetadata(document, context);
  return done('readable', async (tx) => {
    await saveFindings(tx, document, values);
    await saveMetadata?.(tx);
  });
}

/** Reading the cleaned pages failed: the first reading is kept. */
async function keepFirst(document: StageDocument) {
  const problem: Problem = {
    code: 'CLEANING_SKIPPED',
    message: 'The cleaned pages could not be read; the text of the uncleaned pages was used',
  };
  return done('readable', (tx) => recordProblem(tx, document, problem));
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

async function saveFindings(
  tx: Db,
  document: StageDocument,
  values: ReturnType<typeof findings>,
): Promise<void> {
  const { id } = document.ingestion;
  await tx.update(ingestions).set(values).where(eq(ingestions.id, id));
  await warn(tx, document, values.problems);
}
