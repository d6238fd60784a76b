import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { ProviderHolds } from '../../domain/circumstances.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Limits } from './store.ts';

const state = z.tuple([z.coerce.number(), z.coerce.number(), z.coerce.number(), z.coerce.number()]);

/** Reads the shared governor state without changing it. Uses the clock of Redis. */
export async function inspectProvider(
  redis: Redis,
  { prefix, provider, limits }: { prefix: string; provider: string; limits: Limits },
): Promise<ProviderHolds> {
  const [seconds, micros] = await redis.time();
  const now = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
  const fields = ['failures', 'openUntil', 'probeUntil', 'pausedUntil'];
  const key = `{${prefix}:governor:${provider}}`;
  const found = await redis.hmget(`${key}:state`, ...fields);
  const [call, at] = await redis.zrevrange(
    `${key}:calls`,
    limits.requestsPerMinute - 1,
    limits.requestsPerMinute - 1,
    'WITHSCORES',
  );
  const [failures, openUntil, probeUntil, pausedUntil] = state.parse(
    found.map((value) => value ?? 0),
  );
  const broken = failures >= limits.failures;
  const later = (at: number) => (at > now ? new Date(at) : undefined);
  return {
    provider,
    brokenUntil: broken ? later(Math.max(openUntil, probeUntil)) : undefined,
    pausedUntil: later(pausedUntil),
    // The next call is allowed once this one is older than a minute.
    budgetUntil: call === undefined ? undefined : later(Number(at) + MINUTE),
  };
}
