import { setTimeout as sleep } from 'node:timers/promises';
import type { StageContext } from '../engine/pipeline/stage.ts';
import { StorageUnavailableError } from '../errors.ts';
import { isDiskFull } from '../lib/disk-full.ts';
import { SECOND } from '../lib/time.ts';

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
