import type { Config } from '../config/index.ts';
import type { Closers } from '../lib/closers.ts';
import { type DataDirectory, openDataDirectory, startEmbedded } from './embedded/index.ts';

export interface Services {
  databaseUrl: string;
  /** Postgres itself, if `databaseUrl` leads to a pooler. */
  directUrl: string | undefined;
  /** The user that migrates the database, if it is not that of `databaseUrl`. */
  ownerUrl: string | undefined;
  redisUrl: string;
  /** Locked by this process while open; absent when no embedded server runs. */
  directory: DataDirectory | undefined;
  describe: string[];
}

/** Postgres and Redis: the configured servers, else embedded ones. */
export async function openServices(
  config: Config,
  onProgress: (step: string) => void,
  closers: Closers,
): Promise<Services> {
  const {
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: directUrl,
    DATABASE_OWNER_URL: ownerUrl,
    REDIS_URL: redisUrl,
  } = config;
  if (databaseUrl && redisUrl)
    return { databaseUrl, directUrl, ownerUrl, redisUrl, directory: undefined, describe: [] };
  const directory = await openDataDirectory(config.MILLRACE_DATA);
  closers.add(() => directory.close());
  const embedded = await startEmbedded({
    directory,
    services: { postgres: !databaseUrl, redis: !redisUrl },
    redisEngine: config.MILLRACE_REDIS_ENGINE,
    log: onProgress,
  });
  closers.add(() => embedded.stop());
  return {
    databaseUrl: databaseUrl ?? required(embedded.databaseUrl),
    directUrl: databaseUrl ? directUrl : undefined,
    ownerUrl: databaseUrl ? ownerUrl : required(embedded.ownerUrl),
    redisUrl: redisUrl ?? required(embedded.redisUrl),
    directory,
    describe: embedded.describe(),
  };
}

function required(url: string | undefined): string {
  if (!url) throw new Error('An embedded server started without a URL');
  return url;
}
