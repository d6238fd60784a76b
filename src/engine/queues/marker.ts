import { newId } from '../../lib/ids.ts';
import { isCluster, type RedisClient } from '../../lib/redis-client.ts';

/**
 * Keys that only exist as long as Redis has its data. A cluster can lose one of its servers, so
 * there each queue has a marker in its own slot.
 */
export function openMarkers(
  redis: RedisClient,
  { prefix, queuePrefixes }: { prefix: string; queuePrefixes: readonly string[] },
) {
  const keys = isCluster(redis)
    ? queuePrefixes.map((queue) => `${queue}:incarnation`)
    : [`${prefix}:incarnation`];
  return {
    /** Whether a marker was missing since the last call. Sets it again. */
    async missing(): Promise<boolean> {
      const set = await Promise.all(keys.map((key) => redis.set(key, newId(), 'NX')));
      return set.includes('OK');
    },
  };
}
