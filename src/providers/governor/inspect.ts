import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Limits } from './store.ts';

/** What all workers know of a provider right now. */
export interface ProviderState {
  provider: string;
  /** Until when nobody calls it: it failed too often in a row. */
  brokenUntil: Date | undefined;
  /** Until when nobody calls it: it asked for that. */
  pausedUntil: Date | undefined;
}

const state = z.tuple([z.coerce.number(), z.coerce.number(), z.coerce.number(), z.coerce.number()]);

/** Reads what the governors of all workers share, by the clock of Redis, and changes nothing. */
export async function inspectProvider(
  redis: Redis,
  { prefix, provider, limits }: { prefix: string; provider: string; limits: Limits },
): Promise<ProviderState> {
  const [seconds, micros] = await redis.time();
  const now = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
  const fields = ['failures', 'openUntil', 'probeUntil', 'pausedUntil'];
  const found = await redis.hmget(`{${prefix}:governor:${provider}}:state`, ...fields);
  const [failures, openUntil, probeUntil, pausedUntil] = state.parse(found.map((value) => value ?? 0));
  const broken = failures >= limits.failures;
  const later = (at: number) => (at > now ? new Date(at) : undefined);
  return {
    provider,
    brokenUntil: broken ? later(Math.max(openUntil, probeUntil)) : undefined,
    pausedUntil: later(pausedUntil),
  };
}
