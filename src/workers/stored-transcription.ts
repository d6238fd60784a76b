import { join } from 'node:path';
import type { Transcription } from '../domain/transcription.ts';
import type { StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { lazily } from '../lib/lazily.ts';
import { copyTranscription } from '../storage/transcriptions.ts';

/** A transcription that this process does not parse, because a long one would block it. */
export interface StoredTranscription {
  /** For the sandbox. */
  path: string;
  sha256: string;
  /** The text for a model, abridged if it is very long. */
  text(): Promise<Transcription>;
}

export async function fetchTranscription(
  { ingestion: { transcriptionKey: key, transcriptionSha256: sha256 } }: StageDocument,
  { storage, workDirectory, inSandbox }: StageContext,
): Promise<StoredTranscription> {
  if (!key || !sha256) throw new Error('There is no transcription yet');
  const path = join(await workDirectory(), 'transcription');
  await copyTranscription(storage, key, sha256, path);
  return { path, sha256, text: lazily(() => inSandbox('understanding.abridge', { path })) };
}
