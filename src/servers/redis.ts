import { Redis } from 'ioredis';
import { SetupError } from '../errors.ts';
import type { Closers } from '../lib/closers.ts';
import { SECOND } from '../lib/time.ts';
import type { Log } from '../observability/logger.ts';

export interface RedisConnections {
  /** Fails immediately when Redis is unreachable: for callers that must not wait. */
  producer: Redis;
  /** Waits until Redis is back: for workers. */
  worker: Redis;
}

/**
 * BullMQ's blocking commands take up to ten seconds, so a longer silence means a dead connection.
 */
const socketTimeout = 20 * SECOND;

export async function openRedis(
  url: string,
  log: Log,
  closers: Closers,
): Promise<RedisConnections> {
  const producer = new Redis(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    connectionName: 'millrace',
    socketTimeout,
  });
  const worker = new Redis(url, {
    maxRetriesPerRequest: null,
    lazyConnect: true,
    connectionName: 'millrace-worker',
    socketTimeout,
  });
  for (const connection of [producer, worker]) {
    connection.on('error', (error) => log.debug({ err: error }, 'Redis connection'));
    closers.add(() => connection.disconnect());
  }
  await ready(producer, url);
  await refuseEviction(producer);
  return { producer, worker };
}

/** Authentication errors, which a retry cannot fix. */
const refusal = /^(WRONGPASS|NOAUTH|NOPERM|ERR invalid password|ERR AUTH)/;

async function ready(redis: Redis, url: string): Promise<void> {
  const { host } = new URL(url);
  let lastError = '';
  await new Promise<void>((resolve, reject) => {
    const fail = (how: string, hint: string) =>
      reject(new SetupError(`Redis at ${host} ${how}${lastError}`, hint));
    const late = () => fail('does not answer', 'Check REDIS_URL, and that the server is running.');
    const timer = setTimeout(late, 10 * SECOND);
    const onError = ({ message }: Error) => {
      lastError = `: ${message}`;
      if (!refusal.test(message)) return;
      clearTimeout(timer);
      fail('refused the login', 'Check the user and the password in REDIS_URL.');
    };
    redis.on('error', onError).once('ready', () => {
      clearTimeout(timer);
      redis.off('error', onError);
      resolve();
    });
  });
}

/** A Redis that evicts keys loses jobs silently. */
async function refuseEviction(redis: Redis): Promise<void> {
  const memory = await redis.info('memory');
  const policy = /maxmemory_policy:(\S+)/.exec(memory)?.[1];
  if (policy === undefined || policy === 'noeviction') return;
  throw new SetupError(
    `Redis may evict keys (maxmemory-policy is ${policy}), which would lose queued jobs silently.`,
    'Run: redis-cli config set maxmemory-policy noeviction (and set it in redis.conf).',
  );
}
