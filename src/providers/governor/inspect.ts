import { z } from 'zod';
import type { ProviderHolds } from '../../domain/circumstances.ts';
import type { RedisClient } from '../../lib/redis-client.ts';
import { MINUTE } from '../../lib/time.ts';
import { inspectScript } from './scripts.ts';
import type { Limits } from './store.ts';

/** Now, failures, openUntil, probeUntil, pausedUntil and the time of the deciding call, if any. */
const state = z.tuple([z.int(), z.int(), z.int(), z.int(), z.int(), z.int().nullable()]);

/** Reads the shared governor state without changing it. Uses the clock of Redis. */
export async function inspectProvider(
  redis: RedisClient,
  { prefix, provider, limits }: { prefix: string; provider: string; limits: Limits },
): Promise<ProviderHolds> {
  const key = `{${prefix}:governor:${provider}}`;
  // One script: in a cluster only the server with these keys has the clock that counts for them.
  const found = await redis.eval(
    inspectScript,
    2,
    `${key}:state`,
    `${key}:calls`,
    '',
    limits.requestsPerMinute,
  );
  const [now, failures, openUntil, probeUntil, pausedUntil, calledAt] = state.parse(found);
  const broken = failures >= limits.failures;
  const later = (at: number) => (at > now ? new Date(at) : undefined);
  return {
    provider,
    brokenUntil: broken ? later(Math.max(openUntil, probeUntil)) : undefined,
    pausedUntil: later(pausedUntil),
    // The next call is allowed once this one is older than a minute.
    budgetUntil: calledAt === null ? undefined : later(calledAt + MINUTE),
  };
}
