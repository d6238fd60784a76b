import type { Redis } from 'ioredis';
import { SetupError } from '../errors.ts';
import type { Finding } from './check.ts';
import { isAtLeast } from './version.ts';

const least = '6.2';

/** Its policy was looked at when it was opened. */
export async function examineRedis(redis: Redis, ours: boolean): Promise<Finding> {
  const info = await redis.info();
  const of = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? '';
  const version = of('valkey_version') || of('redis_version');
  if (!isAtLeast(version, least))
    throw new SetupError(`Redis is version ${version}.`, `Upgrade it to ${least} or newer.`);
  const found = `version ${version}, never evicts`;
  if (ours || of('aof_enabled') === '1') return { found };
  return {
    found: `${found}, keeps nothing when it restarts`,
    fix: 'Set appendonly yes: without it every restart announces all waiting work again.',
  };
}
