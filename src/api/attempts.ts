import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { MINUTE, monotonicNow, SECOND } from '../lib/time.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { maskAddress } from './mask-address.ts';

/** Logins by address: after a few that failed one has to wait, whichever process is asked. */
export interface Attempts {
  /** Counts an attempt, and answers the seconds until it is heard; 0 = now. */
  begin(address: string): Promise<number>;
  succeed(address: string): Promise<void>;
}

export interface AttemptLimits {
  /** Within the window, of one address. */
  most: number;
  windowMs: number;
}

const usual: AttemptLimits = { most: 5, windowMs: 1 * MINUTE };
/** A Redis that takes longer is asked by nobody who waits at a login. */
const patienceMs = 1 * SECOND;

/** Counted in Redis for all processes; by each for itself while Redis is away. */
export function openAttempts(redis: Redis, prefix: string, limits = usual): Attempts {
  const own = ownAttempts(limits);
  const keyOf = (address: string) =>
    `${prefix}:logins:${createHash('sha256').update(maskAddress(address)).digest('base64url').slice(0, 22)}`;
  const inRedis = async (key: string): Promise<number> => {
    // Counting before looking: of many at the same time no more are heard than of as many in turn.
    const counting = redis
      .multi()
      .set(key, 0, 'PX', limits.windowMs, 'NX')
      .incr(key)
      .pttl(key)
      .exec();
    const answers = await withTimeout(patienceMs, counting);
    if (answers === 'late' || answers === null) throw new Error('Redis did not answer');
    const [, count, leftMs] = answers.map(([error, value]) => {
      if (error) throw error;
      return Number(value);
    });
    return (count ?? 0) > limits.most ? Math.max(1, Math.ceil((leftMs ?? 0) / SECOND)) : 0;
  };
  return {
    async begin(address) {
      const [shared, alone] = await Promise.all([
        inRedis(keyOf(address)).catch(() => 0),
        own.begin(address),
      ]);
      return Math.max(shared, alone);
    },
    async succeed(address) {
      await own.succeed(address);
      await withTimeout(patienceMs, redis.del(keyOf(address))).catch(() => undefined);
    },
  };
}

/** Addresses remembered; beyond that the oldest is forgotten. */
const mostAddresses = 10_000;

/** Counted in this process alone. */
export function ownAttempts({ most, windowMs } = usual, now = monotonicNow): Attempts {
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
