import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { pickBetterPages } from '../domain/pick-better-pages.ts';
import type { Transcription } from '../domain/transcription.ts';
import { spend } from '../engine/budget/spend.ts';
import type { StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { failpoint } from '../lib/test-hooks.ts';
import type { SourceFile } from '../providers/ocr/port.ts';
import type { Artifact } from '../storage/artifacts.ts';
import { download } from '../storage/download.ts';
import { storageKeys } from '../storage/keys.ts';
import {
  findTranscription,
  loadTranscription,
  saveTranscription,
} from '../storage/transcriptions.ts';
import { fetchOriginal } from './original.ts';
import { findPaidResult, storeWhenPossible } from './paid-result.ts';
import { tryPasswords } from './try-passwords.ts';

interface Reading {
  pass: 1 | 2;
  /** Part of the cache key: keeps a special reading from being reused as a usual one. */
  manner: string | undefined;
  read(): Promise<Transcription>;
}

/** Reuses an earlier reading of the same bytes by the same engine: reading is expensive. */
export async function readOnce(
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
export function pictureManner({ settings: { inlineOcr } }: StageContext): string {
  return `pictures-${inlineOcr.most}-${inlineOcr.minPixels}`;
}

export async function readOriginal(
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

export async function readCleaned(
  document: StageDocument,
  context: StageContext,
): Promise<Transcription> {
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
    .map((page) => ({
      ...page,
      number: preprocessedPages[page.number - 1] ?? 0,
      repairedAs: page.number,
    }))
    .filter(({ number }) => number > 0);
  return { ...first, pages: pickBetterPages(first.pages, second) };
}
