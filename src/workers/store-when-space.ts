import { setTimeout as sleep } from 'node:timers/promises';
import type { StageContext } from '../engine/pipeline/stage.ts';
import { isDiskFull } from '../lib/disk-full.ts';
import { SECOND } from '../lib/time.ts';

const pauseMs = 1 * SECOND;

/**
 * Stores what was paid for. While storage is full it is held here for as long as the stage may run: to store it later
 * costs nothing, to ask for it again does.
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
