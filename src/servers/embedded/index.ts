import type { DataDirectory } from './data-directory.ts';
import type { EmbeddedServer } from './embedded-server.ts';
import { startPostgres } from './postgres.ts';
import { type RedisEngine, startRedis } from './redis.ts';

export { type DataDirectory, openDataDirectory } from './data-directory.ts';
export type { RedisEngine } from './redis.ts';

export interface EmbeddedOptions {
  readonly directory: DataDirectory;
  readonly services: { readonly postgres: boolean; readonly redis: boolean };
  readonly redisEngine?: RedisEngine;
  readonly durable?: boolean;
  /** Receives progress of a slow first start, and reports of servers that exit unexpectedly. */
  readonly log?: (message: string) => void;
}

export interface Embedded {
  readonly databaseUrl?: string;
  /** The user that owns the schema: for migrations. */
  readonly ownerUrl?: string;
  readonly redisUrl?: string;
  /** Users that can do everything, by server. The product does not use them. */
  readonly admin: { readonly databaseUrl?: string; readonly redisUrl?: string };
  /** One line per running server. */
  describe(): string[];
  stop(): Promise<void>;
}

/** Starts the requested servers: all or none. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { services, redisEngine = 'auto', durable = true, log = () => {} } = options;
  const directory = options.directory.path;
  const starting = [
    services.postgres ? startPostgres({ directory, durable, log }) : undefined,
    services.redis ? startRedis({ directory, engine: redisEngine }) : undefined,
  ] as const;
  const settled = await Promise.allSettled(starting);
  const servers = settled.flatMap((result) =>
    result.status === 'fulfilled' && result.value ? [result.value] : [],
  );
  const failure = settled.find((result) => result.status === 'rejected');
  if (failure) {
    await stopAll(servers);
    throw failure.reason;
  }
  const [postgres, redis] = await Promise.all(starting);
  return supervise(
    {
      ...(postgres && { databaseUrl: postgres.url, ownerUrl: postgres.ownerUrl }),
      ...(redis && { redisUrl: redis.url }),
      admin: {
        ...(postgres && { databaseUrl: postgres.adminUrl }),
        ...(redis && { redisUrl: redis.adminUrl }),
      },
    },
    servers,
    log,
  );
}

function supervise(
  urls: Omit<Embedded, 'describe' | 'stop'>,
  servers: readonly EmbeddedServer[],
  log: (message: string) => void,
): Embedded {
  let stopping: Promise<void> | undefined;
  for (const { kind, ended } of servers) {
    ended.finally(() => stopping ?? log(`${kind} exited unexpectedly`));
  }
  return {
    ...urls,
    describe: () => servers.map(({ kind, url }) => `${kind} at ${new URL(url).host}`),
    stop: () => {
      stopping ??= stopAll(servers);
      return stopping;
    },
  };
}

async function stopAll(servers: readonly EmbeddedServer[]): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()));
}
