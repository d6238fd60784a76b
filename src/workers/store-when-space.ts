import { setTimeout as sleep } from 'node:timers/promises';
import type { StageContext } from '../engine/pipeline/stage.ts';
import { isDiskFull } from '../lib/disk-full.ts';
import { SECOND } from '../lib/time.ts';

const pauseMs = 1 * SECOND;

/**
 * Stores a paid result. While storage is full the result is held in memory, up to the time limit of
 * the stage: storing it later is free, requesting it again is not.
 */
export async function storeWhenSpace<T>(
  store: () => Promise<T>,
  { signal, timeLeftMs }: Pick<StageContext, 'signal' | 'timeLeftMs'>,
): Promise<T> {
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (!isDiskFull(error) || timeLeftMs() < 2 * pauseMs) throw error;
      await sleep(pauseMs, undefined, { signal });
    }
  }
}
