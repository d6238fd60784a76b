import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { ingestions } from '../db/schema/ingestions.ts';
import { betterOf } from '../domain/better-of.ts';
import { languageOf } from '../domain/language.ts';
import { pagesToRepair } from '../domain/pages-to-repair.ts';
import { qualityOf, type Transcription, textOf } from '../domain/transcription.ts';
import { spend } from '../engine/budget/spend.ts';
import { done } from '../engine/outcome.ts';
import { defineStage, type StageContext } from '../engine/stage.ts';
import type { StageDocument } from '../engine/task.ts';
import { failpoint } from '../lib/failpoint.ts';
import { MINUTE } from '../lib/time.ts';
import type { SourceFile } from '../providers/ocr/port.ts';
import type { Artifact } from '../storage/artifacts.ts';
import { download } from '../storage/download.ts';
import { keys } from '../storage/keys.ts';
import { findTranscription, loadTranscription, saveTranscription } from '../storage/transcriptions.ts';
import { withReader } from './chosen-engine.ts';
import { passwordOf } from './password.ts';
import { reuse } from './reuse.ts';

/**
 * Reads the document. A document of poor quality goes to preprocessing and comes back for a second pass over the
 * cleaned pages, of which only those are kept that measure better.
 */
export const transcribe = defineStage({
  concurrency: 4,
  timeoutMs: 15 * MINUTE,
  async run(document, given) {
    const context = await withReader(document, given);
    const { ingestion } = document;
    const pass = ingestion.preprocessedKey ? 2 : 1;
    const key = keys.transcription(ingestion.id, pass);
    const { value: transcription, sha256 } = await readOnce(document, key, pass, context);
    const { pages } = transcription;
    const quality = qualityOf(pages);
    context.metrics.transcribed(quality);
    const values = {
      transcriptionKey: key,
      transcriptionSha256: sha256,
      transcriptionQuality: quality,
      pages: pages.length,
      language: languageOf(textOf(transcription)) ?? null,
      problems: transcription.problems,
    };
    const illegible = !ingestion.overrides.noOcr && pagesToRepair(pages, context.settings.qualityThreshold).length > 0;
    return done(pass === 1 && illegible ? 'illegible' : 'readable', (tx) =>
      tx.update(ingestions).set(values).where(eq(ingestions.id, ingestion.id)),
    );
  },
});

/** Reading is what costs: what was read before, by the same engine from the same bytes, is not read again. */
async function readOnce(
  document: StageDocument,
  key: string,
  pass: 1 | 2,
  context: StageContext,
): Promise<Artifact<Transcription>> {
  const { noOcr } = document.ingestion.overrides;
  const source = `${document.sha256}/${pass}/${context.reader.engine}${noOcr ? '/no-ocr' : ''}`;
  const keyOf = (ingestionId: string) => keys.transcription(ingestionId, pass);
  const found = await reuse(document, context, { stage: 'transcribe', source, keyOf, find: findTranscription });
  const result = found?.value ?? (await (pass === 1 ? readOriginal : readCleaned)(document, context));
  failpoint('transcribe', 'read', document.name);
  const stored = await saveTranscription(context.storage, key, source, result);
  failpoint('transcribe', 'stored', document.name);
  return stored;
}

async function readOriginal(document: StageDocument, context: StageContext): Promise<Transcription> {
  const { storage, signal, workDirectory } = context;
  const path = join(await workDirectory(), 'original');
  await download(storage, document.storageKey, path, { signal, sha256: document.sha256 });
  const { noOcr } = document.ingestion.overrides;
  const mediaType = document.mediaType ?? 'application/octet-stream';
  return readFile(document, context, { path, mediaType, noOcr, password: passwordOf(document, context) });
}

async function readFile(document: StageDocument, context: StageContext, file: SourceFile): Promise<Transcription> {
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
  const { storage, signal, workDirectory } = context;
  const { preprocessedKey, preprocessedType, preprocessedPages, transcriptionKey, transcriptionSha256 } =
    document.ingestion;
  if (!preprocessedKey || !preprocessedType || !preprocessedPages || !transcriptionKey || !transcriptionSha256) {
    throw new Error('A second pass needs a first one and its cleaned pages');
  }
  const path = join(await workDirectory(), 'preprocessed');
  await download(storage, preprocessedKey, path, { signal });
  const first = await loadTranscription(storage, transcriptionKey, transcriptionSha256);
  const { pages } = await readFile(document, context, { path, mediaType: preprocessedType });
  const second = pages
    .map((page, i) => ({ ...page, number: preprocessedPages[i] ?? 0 }))
    .filter(({ number }) => number > 0);
  return { ...first, pages: betterOf(first.pages, second) };
}
