import type { Redis } from 'ioredis';
import type { RedisAddress } from '../../config/redis-url.ts';
import { SetupError } from '../../errors.ts';
import type { Endpoint } from './connect.ts';
import { checkPermissions } from './permissions.ts';
import { nameNodes } from './until-ready.ts';

/**
 * Refuses a server that is of another kind than REDIS_URL states, lets the user do too little, or
 * may lose jobs. Uses the connection up.
 */
export async function examineServer(server: Redis, endpoint: Endpoint): Promise<void> {
  try {
    await checkPermissions(server, endpoint);
    const info = parseInfo(await server.info());
    const { host = '', port = 0 } = server.options;
    refuseOtherKind(info, endpoint.address, nameNodes([{ host, port }]));
    refuseEviction(info);
  } finally {
    server.disconnect();
  }
}

export function parseInfo(text: string): Map<string, string> {
  const lines = text.split('\r\n').filter((line) => line.includes(':'));
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
}

function refuseOtherKind(
  info: Map<string, string>,
  { kind, tls }: RedisAddress,
  where: string,
): void {
  const scheme = tls ? 'rediss' : 'redis';
  const isNode = info.get('cluster_enabled') === '1';
  if (info.get('redis_mode') === 'sentinel')
    throw new SetupError(
      `${where} is a Sentinel, not a Redis server.`,
      `Set REDIS_URL=${scheme}+sentinel://${where}/MASTER; \`redis-cli sentinel masters\` lists the names.`,
    );
  if (isNode && kind !== 'cluster')
    throw new SetupError(
      `${where} is a node of a Redis Cluster, not a single server.`,
      `Set REDIS_URL=${scheme}+cluster://${where}, or list several nodes: ${scheme}://HOST:PORT,HOST:PORT`,
    );
  if (!isNode && kind === 'cluster')
    throw new SetupError(
      `${where} does not run in cluster mode (cluster_enabled is 0).`,
      `Set REDIS_URL=${scheme}://${where} to use it alone.`,
    );
  // A cluster finds its masters by itself, from any node.
  if (info.get('role') !== 'slave' || kind === 'cluster') return;
  const master = `${info.get('master_host')}:${info.get('master_port')}`;
  throw new SetupError(
    `${where} is a replica, which takes no writes. Its master is ${master}.`,
    `Set REDIS_URL=${scheme}://${master}, or the addresses of the Sentinels that watch it.`,
  );
}

/** A Redis that evicts keys loses jobs silently. */
function refuseEviction(info: Map<string, string>): void {
  const policy = info.get('maxmemory_policy');
  if (policy === undefined || policy === 'noeviction') return;
  throw new SetupError(
    `Redis may evict keys (maxmemory-policy is ${policy}), which would lose queued jobs silently.`,
    'Run: redis-cli config set maxmemory-policy noeviction (and set it in redis.conf).',
  );
}
