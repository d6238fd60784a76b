import { createHash } from 'node:crypto';
import type { RedisClient } from '../lib/redis-client.ts';
import { MINUTE, monotonicNow, SECOND } from '../lib/time.ts';
import { withTimeout } from '../lib/with-timeout.ts';

/** Counts what happens per minute and name, for limits that all API processes share. */
export interface WindowCounter {
  /** Counts once. Resolves to the seconds to wait until `most` allows it; 0 = now. */
  count(name: string, most: number): Promise<number>;
  reset(name: string): Promise<void>;
}

const defaultWindowMs = 1 * MINUTE;
/** Short, because a slow Redis must not block a request. */
const redisTimeoutMs = 1 * SECOND;

/** Counts in Redis and in this process, so that a limit holds even while Redis is down. */
export function openWindowCounter(
  redis: RedisClient,
  prefix: string,
  windowMs = defaultWindowMs,
): WindowCounter {
  const local = ownWindowCounter(windowMs);
  const keyOf = (name: string) =>
    `${prefix}:windows:${createHash('sha256').update(name).digest('base64url').slice(0, 22)}`;
  const inRedis = async (key: string, most: number): Promise<number> => {
    // Increment before checking: what happens at the same time cannot exceed the limit.
    const counting = redis.multi().set(key, 0, 'PX', windowMs, 'NX').incr(key).pttl(key).exec();
    const answers = await withTimeout(redisTimeoutMs, counting);
    if (answers === 'late' || answers === null) throw new Error('Redis did not respond');
    const [, count, leftMs] = answers.map(([error, value]) => {
      if (error) throw error;
      return Number(value);
    });
    return (count ?? 0) > most ? Math.max(1, Math.ceil((leftMs ?? 0) / SECOND)) : 0;
  };
  return {
    async count(name, most) {
      const [sharedWait, localWait] = await Promise.all([
        inRedis(keyOf(name), most).catch(() => 0),
        local.count(name, most),
      ]);
      return Math.max(sharedWait, localWait);
    },
    async reset(name) {
      await local.reset(name);
      await withTimeout(redisTimeoutMs, redis.del(keyOf(name))).catch(() => undefined);
    },
  };
}

/** Most names held in memory; beyond that the oldest entry is dropped. */
const mostNames = 10_000;

/** Counts in this process only. */
export function ownWindowCounter(windowMs = defaultWindowMs, now = monotonicNow): WindowCounter {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return {
    async count(name, most) {
      const known = windows.get(name);
      const current =
        known && known.endsAt > now() ? known : { count: 0, endsAt: now() + windowMs };
      current.count += 1;
      windows.delete(name);
      windows.set(name, current);
      const [oldest] = windows.keys();
      if (windows.size > mostNames && oldest !== undefined) windows.delete(oldest);
      return current.count > most ? Math.max(1, Math.ceil((current.endsAt - now()) / SECOND)) : 0;
    },
    async reset(name) {
      windows.delete(name);
    },
  };
}
