import type { RedisEngine } from '../../src/servers/embedded/redis.ts';
import { mulberry32 } from './random.ts';
import { openRig } from './rig.ts';
import { type Row, rideOut, type Trial } from './wave.ts';

export interface CampaignOptions {
  seed: number;
  workers: number;
  maxAttempts: number;
  redisEngine: RedisEngine;
  trials: Readonly<Record<string, Trial>>;
  /** Settles to end the campaign early. */
  interrupted?: Promise<unknown>;
  onProgress?: (line: string) => void;
  onRow?: (row: Row) => Promise<void>;
}

/** Injects one fault after the other into a running system and reports the outcome of each. */
export async function runCampaign(options: CampaignOptions): Promise<Row[]> {
  const {
    seed,
    workers,
    maxAttempts,
    redisEngine,
    trials,
    interrupted = never,
    onProgress,
    onRow,
  } = options;
  const random = mulberry32(seed);
  const rig = await openRig({ redisEngine, workers, maxAttempts });
  const end = interrupted.then(() => Promise.reject(new Error('The campaign was interrupted')));
  try {
    const rows: Row[] = [];
    for (const [fault, trial] of Object.entries(trials)) {
      onProgress?.(fault);
      const row = await Promise.race([rideOut(rig, fault, trial, random), end]);
      await onRow?.(row);
      rows.push(row);
    }
    return rows;
  } finally {
    await rig.close();
  }
}

const never = new Promise<never>(() => undefined);
