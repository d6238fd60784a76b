import { Redis } from 'ioredis';
import { SetupError } from '../errors.ts';
import type { Closers } from '../lib/closers.ts';
import { SECOND } from '../lib/time.ts';
import type { Log } from '../observability/logger.ts';

export interface RedisConnections {
  /** Fails at once when Redis is away: for whoever must not wait. */
  producer: Redis;
  /** Waits for Redis to come back: for workers. */
  worker: Redis;
}

/** Longer than any command blocks (BullMQ's, ten seconds): a connection that is silent for so long is dead. */
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

/** What a Redis says that will not let us in, however often it is asked. */
const refusal = /^(WRONGPASS|NOAUTH|NOPERM|ERR invalid password|ERR AUTH)/;

async function ready(redis: Redis, url: string): Promise<void> {
  const { host } = new URL(url);
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const fail = (how: string, hint: string) =>
      reject(new SetupError(`Redis at ${host} ${how}${said}`, hint));
    const late = () => fail('does not answer', 'Check REDIS_URL and that the server runs.');
    const timer = setTimeout(late, 10 * SECOND);
    const hear = ({ message }: Error) => {
      said = `: ${message}`;
      if (!refusal.test(message)) return;
      clearTimeout(timer);
      fail('does not let us in', 'Check the user and the password in REDIS_URL.');
    };
    redis.on('error', hear).once('ready', () => {
      clearTimeout(timer);
      redis.off('error', hear);
      resolve();
    });
  });
}

/** A Redis that evicts keys drops jobs in silence. */
async function refuseEviction(redis: Redis): Promise<void> {
  const memory = await redis.info('memory');
  const policy = /maxmemory_policy:(\S+)/.exec(memory)?.[1];
  if (policy === undefined || policy === 'noeviction') return;
  throw new SetupError(
    `Redis may evict keys (maxmemory-policy is ${policy}): waiting work would be dropped in silence.`,
    'Run: redis-cli config set maxmemory-policy noeviction (and set it in redis.conf).',
  );
}
