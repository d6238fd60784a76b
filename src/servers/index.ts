import type { Config } from '../config/index.ts';
import type { Closers } from '../lib/closers.ts';
import {
  type DataDirectory,
  DirectoryInUseError,
  ensureSecret,
  findAddresses,
  openDataDirectory,
  publishAddresses,
  startEmbedded,
} from './embedded/index.ts';

export interface Services {
  databaseUrl: string;
  /** Postgres itself, if `databaseUrl` leads to a pooler. */
  directUrl: string | undefined;
  /** The user that migrates the database, if it is not that of `databaseUrl`. */
  ownerUrl: string | undefined;
  redisUrl: string;
  /** Where secrets are kept; absent when no embedded server runs. */
  directory: Pick<DataDirectory, 'secret'> | undefined;
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
  const running = {
    databaseUrl: databaseUrl ?? required(embedded.databaseUrl),
    ownerUrl: databaseUrl ? ownerUrl : required(embedded.ownerUrl),
    redisUrl: redisUrl ?? required(embedded.redisUrl),
    describe: embedded.describe(),
  };
  await publishAddresses(directory.path, running, closers);
  return { ...running, directUrl: databaseUrl ? directUrl : undefined, directory };
}

/** Like `openServices`, but uses the servers of a process that already runs on the directory. */
export async function joinServices(
  config: Config,
  onProgress: (step: string) => void,
  closers: Closers,
): Promise<Services> {
  try {
    return await openServices(config, onProgress, closers);
  } catch (error) {
    const { MILLRACE_DATA: path, DATABASE_DIRECT_URL: directUrl } = config;
    const running = error instanceof DirectoryInUseError && (await findAddresses(path));
    if (!running) throw error;
    const describe = running.describe.map((server) => `${server}, of the running process`);
    const directory = { secret: ensureSecret.bind(undefined, path) };
    return { ...running, ownerUrl: running.ownerUrl, directUrl, directory, describe };
  }
}

function required(url: string | undefined): string {
  if (!url) throw new Error('An embedded server started without a URL');
  return url;
}
