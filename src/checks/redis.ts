import type { Redis } from 'ioredis';
import { SetupError } from '../errors.ts';
import type { Finding } from './check.ts';
import { isAtLeast } from './version.ts';

const minimum = '6.2';

/** Its eviction policy was already checked when the connection was opened. */
export async function examineRedis(redis: Redis, isEmbedded: boolean): Promise<Finding> {
  const info = await redis.info();
  const field = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? '';
  const version = field('valkey_version') || field('redis_version');
  if (!isAtLeast(version, minimum))
    throw new SetupError(`Redis ${version} is too old.`, `Upgrade it to ${minimum} or newer.`);
  const found = `version ${version}, eviction disabled`;
  if (isEmbedded || field('aof_enabled') === '1') return { found };
  return {
    found: `${found}, append-only file disabled`,
    fix: 'Set appendonly yes. Without it, all waiting work must be queued again after a restart.',
  };
}
