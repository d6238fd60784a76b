import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from './storage.ts';
import { copyTranscription } from './transcriptions.ts';

/** A directory of its own with a copy of a stored transcription, while `use` runs. */
export async function withTranscription<Result>(
  storage: Storage,
  { key, sha256 }: { key: string; sha256: string },
  use: (path: string, directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-text-'));
  try {
    const path = join(directory, 'transcription');
    await copyTranscription(storage, key, sha256, path);
    return await use(path, directory);
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}
