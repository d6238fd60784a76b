import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { download } from '../storage/download.ts';

/** Downloads the original file, once per run of a stage, and returns its path. */
export async function fetchOriginal(
  { storageKey, sha256 }: StageDocument,
  { storage, signal, workDirectory }: StageContext,
): Promise<string> {
  const path = join(await workDirectory(), 'original');
  if (!existsSync(path)) await download(storage, storageKey, path, { signal, sha256 });
  return path;
}
