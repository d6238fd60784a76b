import type { Redis } from 'ioredis';
import type { Config } from './config/index.ts';
import { ensureSeal } from './credentials.ts';
import { openDatabase } from './db/index.ts';
import { migrationState } from './db/migrate.ts';
import { SetupError } from './errors.ts';
import type { Closers } from './lib/closers.ts';
import { SECOND } from './lib/time.ts';
import { createLogger } from './observability/logger.ts';
import { createMetrics } from './observability/metrics.ts';
import { openRedis } from './redis.ts';
import { openResources } from './resources.ts';
import { openServices, type Services } from './services.ts';

export interface Check {
  name: string;
  /** What was found; throws with the reason and a hint when it is not good. */
  run(): Promise<string>;
}

/** What Millrace depends on, in the order in which one thing needs the other. */
export function checks(config: Config, closers: Closers, onProgress: (step: string) => void): Check[] {
  const log = createLogger({ level: 'silent', format: 'json' });
  let opened: Promise<Services> | undefined;
  const services = () => {
    opened ??= openServices(config, onProgress, closers);
    return opened;
  };
  let connected: Promise<Redis> | undefined;
  const redis = () => {
    connected ??= services().then(async ({ redisUrl }) => (await openRedis(redisUrl, log, closers)).producer);
    return connected;
  };
  return [
    { name: 'node', run: async () => process.version },
    {
      name: 'services',
      run: async () => (await services()).describe.join(', ') || 'Postgres and Redis as configured',
    },
    { name: 'postgres', run: async () => examinePostgres((await services()).databaseUrl, closers) },
    { name: 'redis', run: async () => examineRedis(await redis()) },
    {
      name: 'storage and engines',
      run: async () => {
        const { databaseUrl, directory } = await services();
        const seal = await ensureSeal(config, directory);
        const surroundings = { databaseUrl, seal, redis: await redis(), log, metrics: createMetrics(), closers };
        const resources = await openResources(config, surroundings);
        const { storage, reader, extractor } = resources;
        await storage.check();
        return `${config.S3_BUCKET ? `bucket ${config.S3_BUCKET}` : 'local files'} can be written; read by ${reader.engine}, extracted by ${extractor.engine}`;
      },
    },
  ];
}

async function examineRedis(redis: Redis): Promise<string> {
  const version = /(?:valkey|redis)_version:(\S+)/.exec(await redis.info('server'))?.[1];
  return `version ${version}, never evicts`;
}

async function examinePostgres(url: string, closers: Closers): Promise<string> {
  const { pool, close } = openDatabase({ url, connections: 2, onError: () => undefined });
  closers.add(close);
  const { rows } = await pool.query<{ version: string; now: Date }>(
    "select current_setting('server_version') as version, now()",
  );
  const skewMs = Math.abs(Date.now() - (rows[0]?.now.getTime() ?? 0));
  if (skewMs > 5 * SECOND) {
    throw new SetupError(
      `The clock of Postgres is ${Math.round(skewMs / SECOND)} s away from ours.`,
      'Let both machines keep time by NTP.',
    );
  }
  const { applied, known } = await migrationState(pool);
  return `version ${rows[0]?.version}, ${applied} of ${known} migrations applied`;
}
