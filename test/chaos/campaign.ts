import type { RedisEngine } from '../../src/servers/embedded/redis.ts';
import type { Servers } from './distributed.ts';
import { mulberry32 } from './random.ts';
import { openRig, type Rig } from './rig.ts';
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
  const open = (servers: Servers) => openRig({ redisEngine, workers, maxAttempts, servers });
  let current: { rig: Rig; servers: Servers } | undefined;
  /** Trials that need the same servers share a rig. */
  const rigFor = async (servers: Servers): Promise<Rig> => {
    if (current?.servers === servers) return current.rig;
    await current?.rig.close();
    current = undefined;
    current = { rig: await open(servers), servers };
    return current.rig;
  };
  const end = interrupted.then(() => Promise.reject(new Error('The campaign was interrupted')));
  try {
    const rows: Row[] = [];
    for (const [fault, trial] of Object.entries(trials)) {
      onProgress?.(fault);
      const rig = await rigFor(trial.servers ?? 'plain');
      const row = await Promise.race([rideOut(rig, fault, trial, random), end]);
      await onRow?.(row);
      rows.push(row);
    }
    return rows;
  } finally {
    await current?.rig.close();
  }
}

const never = new Promise<never>(() => undefined);
