import type { Redis } from 'ioredis';
import { SetupError } from '../errors.ts';
import { isCluster, masters, type RedisClient } from '../lib/redis-client.ts';
import type { Finding } from './check.ts';
import { isAtLeast } from './version.ts';

const minimum = '6.2';

/** Its kind, permissions and eviction policy were checked when the connection was opened. */
export async function examineRedis(client: RedisClient, isEmbedded: boolean): Promise<Finding> {
  const servers = await Promise.all(masters(client).map(examineServer));
  const [version = ''] = servers.map((server) => server.version);
  const found = `${describe(client, servers.length)}version ${version}, eviction disabled`;
  if (isEmbedded || servers.every(({ keepsLog }) => keepsLog)) return { found };
  return {
    found: `${found}, append-only file disabled`,
    fix: 'Set appendonly yes. Without it, all waiting work must be queued again after a restart.',
  };
}

async function examineServer(server: Redis) {
  const info = await server.info();
  const field = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? '';
  const version = field('valkey_version') || field('redis_version');
  if (!isAtLeast(version, minimum))
    throw new SetupError(`Redis ${version} is too old.`, `Upgrade it to ${minimum} or newer.`);
  return { version, keepsLog: field('aof_enabled') === '1' };
}

function describe(client: RedisClient, servers: number): string {
  if (isCluster(client)) return `cluster of ${servers} masters, `;
  return client.options?.sentinels ? `master ${client.options.name} behind Sentinel, ` : '';
}
