import { startServer } from '../api/server.ts';
import { ensureKey } from '../credentials.ts';
import type { Closers } from '../lib/closers.ts';
import type { Core } from './core.ts';

export interface Api {
  url: string;
  /** The administrator's key, where this process knows one. */
  key: string | undefined;
}

export async function startApiRole(
  { config, services, redis, resources, queues, intake, workspaceId }: Core,
  closers: Closers,
): Promise<Api> {
  const key = await ensureKey(resources.database.db, config, services.directory);
  const { url, close } = await startServer({
    resources,
    intake,
    queues,
    defaultWorkspaceId: workspaceId,
    listen: { host: config.MILLRACE_HOST, port: config.MILLRACE_PORT },
    checks: {
      postgres: async () => void (await resources.database.pool.query('select 1')),
      redis: async () => void (await redis.producer.ping()),
      storage: () => resources.storage.check(),
    },
  });
  closers.add(close);
  return { url, key };
}
