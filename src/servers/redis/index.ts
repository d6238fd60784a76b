import { parseRedisUrl } from '../../config/redis-url.ts';
import type { Closers } from '../../lib/closers.ts';
import { masters, type RedisClient } from '../../lib/redis-client.ts';
import type { Log } from '../../observability/logger.ts';
import { examineAnyOf } from './any-of.ts';
import { connectTo, type Endpoint, openClient, readAuthorities } from './connect.ts';
import { examineServer } from './examine.ts';
import { examineSentinels } from './sentinels.ts';
import { untilReady } from './until-ready.ts';

export interface RedisConnections {
  /** Fails immediately when Redis is unreachable: for callers that must not wait. */
  producer: RedisClient;
  /** Waits until Redis is back: for workers. */
  worker: RedisClient;
}

export interface RedisSettings {
  url: string;
  caFile?: string | undefined;
  /** Of all keys, which the user must be allowed to access. */
  prefix: string;
}

/** Opens a server, a cluster or a master behind Sentinels. Refuses what cannot hold the queues. */
export async function openRedis(
  { url, caFile, prefix }: RedisSettings,
  log: Log,
  closers: Closers,
): Promise<RedisConnections> {
  const address = parseRedisUrl(url);
  const endpoint = { address, ca: await readAuthorities(caFile), prefix };
  if (address.kind === 'cluster') await examineSeeds(endpoint);
  if (address.kind === 'sentinel') await examineSentinels(endpoint);
  const [producer, worker] = [openClient(endpoint, 'producer'), openClient(endpoint, 'worker')];
  for (const client of [producer, worker]) {
    client.on('error', (error) => log.debug({ err: error }, 'Redis connection'));
    closers.add(() => client.disconnect());
  }
  await untilReady(producer, endpoint);
  await Promise.all(
    masters(producer).map((server) =>
      examineServer(server.duplicate({ lazyConnect: true, enableOfflineQueue: true }), endpoint),
    ),
  );
  return { producer, worker };
}

/** A client for clusters would not report why it does not get ready. */
function examineSeeds(endpoint: Endpoint): Promise<void> {
  return examineAnyOf(
    endpoint.address.nodes,
    (node) => connectTo(node, endpoint),
    async (server, node) => {
      await untilReady(server, endpoint, node);
      await examineServer(server, endpoint);
    },
  );
}
