import { createHash } from 'node:crypto';
import type { RedisClient } from '../lib/redis-client.ts';
import { MINUTE, monotonicNow, SECOND } from '../lib/time.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { maskAddress } from './mask-address.ts';

/** Rate limit for failed logins per client address, shared by all API processes. */
export interface Attempts {
  /** Counts an attempt. Resolves to the seconds to wait until it is allowed; 0 = now. */
  begin(address: string): Promise<number>;
  succeed(address: string): Promise<void>;
}

export interface AttemptLimits {
  /** Attempts per address within the window. */
  most: number;
  windowMs: number;
}

const defaultLimits: AttemptLimits = { most: 5, windowMs: 1 * MINUTE };
/** Short, because a slow Redis must not block a login. */
const redisTimeoutMs = 1 * SECOND;

/** Counts in Redis and in this process, so that a limit holds even while Redis is down. */
export function openAttempts(redis: RedisClient, prefix: string, limits = defaultLimits): Attempts {
  const local = ownAttempts(limits);
  const keyOf = (address: string) =>
    `${prefix}:logins:${createHash('sha256').update(maskAddress(address)).digest('base64url').slice(0, 22)}`;
  const inRedis = async (key: string): Promise<number> => {
    // Increment before checking: concurrent attempts cannot exceed the limit.
    const counting = redis
      .multi()
      .set(key, 0, 'PX', limits.windowMs, 'NX')
      .incr(key)
      .pttl(key)
      .exec();
    const answers = await withTimeout(redisTimeoutMs, counting);
    if (answers === 'late' || answers === null) throw new Error('Redis did not respond');
    const [, count, leftMs] = answers.map(([error, value]) => {
      if (error) throw error;
      return Number(value);
    });
    return (count ?? 0) > limits.most ? Math.max(1, Math.ceil((leftMs ?? 0) / SECOND)) : 0;
  };
  return {
    async begin(address) {
      const [sharedWait, localWait] = await Promise.all([
        inRedis(keyOf(address)).catch(() => 0),
        local.begin(address),
      ]);
      return Math.max(sharedWait, localWait);
    },
    async succeed(address) {
      await local.succeed(address);
      await withTimeout(redisTimeoutMs, redis.del(keyOf(address))).catch(() => undefined);
    },
  };
}

/** Most addresses held in memory; beyond that the oldest entry is dropped. */
const mostAddresses = 10_000;

/** Counts in this process only. */
export function ownAttempts({ most, windowMs } = defaultLimits, now = monotonicNow): Attempts {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return {
    async begin(address) {
      const key = maskAddress(address);
      const known = windows.get(key);
      const current =
        known && known.endsAt > now() ? known : { count: 0, endsAt: now() + windowMs };
      current.count += 1;
      windows.delete(key);
      windows.set(key, current);
      const [oldest] = windows.keys();
      if (windows.size > mostAddresses && oldest !== undefined) windows.delete(oldest);
      return current.count > most ? Math.max(1, Math.ceil((current.endsAt - now()) / SECOND)) : 0;
    },
    async succeed(address) {
      windows.delete(maskAddress(address));
    },
  };
}
