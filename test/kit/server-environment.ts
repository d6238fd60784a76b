import { inject } from 'vitest';
import type { openTestEngine } from './engine.ts';
import { uniquePrefix } from './redis.ts';

type Engine = Pick<Awaited<ReturnType<typeof openTestEngine>>, 'url' | 'directory'>;

/**
 * The environment for processes that share the database and storage of a test engine but have their
 * own queues.
 */
export function serverEnvironment(
  { url, directory }: Engine,
  { key, port }: { key: string; port: number },
) {
  return {
    DATABASE_URL: url,
    REDIS_URL: inject('redisUrl'),
    MILLRACE_DATA: directory,
    MILLRACE_REDIS_PREFIX: uniquePrefix(),
    MILLRACE_API_KEY: key,
    MILLRACE_PORT: String(port),
    MILLRACE_SHUTDOWN_GRACE: '0s',
    MILLRACE_SANDBOX_PROCESSES: '1',
    LOG_LEVEL: 'warn',
  };
}
