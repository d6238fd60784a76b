import { setTimeout as sleep } from 'node:timers/promises';
import { ingestionsOfSameContent } from '../db/same-content.ts';
import type { StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { StorageUnavailableError } from '../errors.ts';
import { isDiskFull } from '../lib/disk-full.ts';
import { SECOND } from '../lib/time.ts';
import type { Artifact } from '../storage/artifacts.ts';
import type { Storage } from '../storage/storage.ts';

export interface Reusable<T> {
  stage: string;
  /** The input of the result and the engine that made it. */
  source: string;
  keyOf(ingestionId: string): string;
  find(storage: Storage, key: string, source: string): Promise<Artifact<T> | undefined>;
}

/**
 * Finds a result that was already paid for: one of this ingestion, stored before a crash, or one of
 * the same bytes in the same workspace by the same engine.
 */
export async function findPaidResult<T>(
  document: StageDocument,
  { storage, database, metrics }: StageContext,
  { stage, source, keyOf, find }: Reusable<T>,
): Promise<Artifact<T> | undefined> {
  const { id } = document.ingestion;
  const own = await find(storage, keyOf(id), source);
  if (own) return own;
  for (const other of await ingestionsOfSameContent(database.db, document, id)) {
    const found = await find(storage, keyOf(other), source);
    if (!found) continue;
    metrics.workSaved(stage);
    return found;
  }
  return undefined;
}

const pauseMs = 1 * SECOND;

/**
 * Stores a result that took work or money. While storage is full or away the result is kept, up to
 * the time limit of the stage: storing it later is free, making it again is not.
 */
export async function storeWhenPossible<T>(
  store: () => Promise<T>,
  { signal, timeLeftMs }: Pick<StageContext, 'signal' | 'timeLeftMs'>,
): Promise<T> {
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (!isPassing(error) || timeLeftMs() < 2 * pauseMs) throw error;
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof StorageUnavailableError || isDiskFull(error);
}
