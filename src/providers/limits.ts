import type { Redis } from 'ioredis';
import { SECOND } from '../lib/time.ts';
import type { Log } from '../observability/logger.ts';
import { openMemoryStore } from './governor/memory-store.ts';
import { openRedisStore } from './governor/redis-store.ts';
import { withStandby } from './governor/standby.ts';
import { type Governor, openGovernor } from './governor.ts';

export type Govern = (provider: string, requestsPerMinute: number) => Governor;

/** Governors whose budgets and breakers all workers share through Redis. */
export function governThrough(redis: Redis, prefix: string, log: Log): Govern {
  const store = withStandby(openRedisStore(redis, { prefix }), openMemoryStore(), log);
  return (provider, requestsPerMinute) =>
    openGovernor({ provider, limits: { requestsPerMinute, failures: 5, coolDownMs: 30 * SECOND }, store });
}
