import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { recordProblem } from '../db/problems.ts';
import { ingestions } from '../db/schema/ingestions.ts';
import type { Problem } from '../domain/problem.ts';
import { pagesToRepair } from '../domain/transcription.ts';
import { done } from '../engine/pipeline/outcome.ts';
import { defineStage } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { failpoint } from '../lib/test-hooks.ts';
import { MINUTE } from '../lib/time.ts';
import { download } from '../storage/download.ts';
import { storageKeys } from '../storage/keys.ts';
import { loadTranscription } from '../storage/transcriptions.ts';
import { openPassword } from './chosen-engine.ts';
import { storeWhenPossible } from './paid-result.ts';

const extensions = { 'image/png': 'png', 'image/tiff': 'tiff' } as const;

/** Repairs illegible pages in a child process. Legible pages are left out. */
export const preprocess = defineStage({
  concurrency: 2,
  timeoutMs: 10 * MINUTE,
  lanes: {
    large: { concurrency: 1, timeoutMs: 30 * MINUTE },
    degrade: skipCleaning,
  },
  sandboxed: true,
  async run(document, context) {
    const { storage, settings, seal, signal, workDirectory, inSandbox } = context;
    const { id, transcriptionKey, transcriptionSha256 } = document.ingestion;
    if (!transcriptionKey || !transcriptionSha256) throw new Error('There is no transcription yet');
    const { pages } = await loadTranscription(storage, transcriptionKey, transcriptionSha256);
    const poor = pagesToRepair(pages, settings.qualityThreshold);
    const directory = await workDirectory();
    const path = join(directory, 'original');
    const output = join(directory, 'repaired');
    await download(storage, document.storageKey, path, { signal, sha256: document.sha256 });
    const { mediaType } = await inSandbox('recognition.repair', {
      path,
      password: openPassword(document, { seal }),
      mediaType: document.mediaType ?? 'application/octet-stream',
      maxPixels: settings.maxPixels,
      pages: poor,
      output,
    });
    failpoint('preprocess', 'repaired', document.name);
    const key = storageKeys.preprocessed(id, extensions[mediaType]);
    const put = () => storage.put(key, createReadStream(output), { mediaType, signal });
    await storeWhenPossible(put, context);
    failpoint('preprocess', 'stored', document.name);
    const values = {
      preprocessedKey: key,
      preprocessedType: mediaType,
      preprocessedPages: poor.map(({ number }) => number),
    };
    return done('cleaned', (tx) => tx.update(ingestions).set(values).where(eq(ingestions.id, id)));
  },
});

/** Text from uncleaned pages is better than none. */
async function skipCleaning(document: StageDocument) {
  const skipped: Problem = {
    code: 'CLEANING_SKIPPED',
    message: 'Cleaning the poor pages failed; the uncleaned pages were used',
  };
  return done('skipped', (tx) => recordProblem(tx, document, skipped));
}
