import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Config } from './config/index.ts';
import type { UnpackLimits } from './content/container.ts';
import type { Database } from './db/index.ts';
import { toMicros } from './domain/money.ts';
import { openExtractors } from './extraction/index.ts';
import type { Extractor } from './extraction/port.ts';
import type { Closers } from './lib/closers.ts';
import type { RedisClient } from './lib/redis-client.ts';
import type { Seal } from './lib/seal.ts';
import type { Log } from './observability/logger.ts';
import type { Metrics } from './observability/metrics/index.ts';
import type { Tracing } from './observability/tracing/index.ts';
import { type Outgoing, openOutgoing } from './outgoing/index.ts';
import type { Choice } from './providers/choice.ts';
import { openClamd, type Scanner } from './providers/clamd.ts';
import { openProviders, type Providers } from './providers/limits.ts';
import { openReaders } from './providers/ocr/index.ts';
import type { PictureOptions, Reader } from './providers/ocr/port.ts';
import { openSandbox, type Sandbox } from './sandbox/sandbox.ts';
import { sandboxSettings } from './sandbox/settings.ts';
import type { Services } from './servers/index.ts';
import { openPostgres } from './servers/postgres.ts';
import { openStorage } from './storage/index.ts';
import type { Storage } from './storage/storage.ts';

/** The dependencies of stages, jobs and routes. Each of them picks only what it needs. */
export interface Resources {
  database: Database;
  storage: Storage;
  /** Parses untrusted bytes in child processes. */
  sandbox: Sandbox;
  reader: Reader;
  extractor: Extractor;
  /** Engines that a run may request instead of `reader` and `extractor`. */
  engines: { ocr: Choice<Reader>; llm: Choice<Extractor> };
  /** Looks for viruses; absent if none is configured. */
  scanner?: Scanner | undefined;
  outgoing: Outgoing;
  seal: Seal;
  /** State of the vendors behind `reader` and `extractor`. */
  providers: Pick<Providers, 'states'>;
  log: Log;
  metrics: Metrics;
  tracing: Tracing;
  /** Settings that stages read. */
  settings: {
    qualityThreshold: number;
    maxPixels: number;
    /** Pictures inside documents that are read by OCR. */
    inlineOcr: Pick<PictureOptions, 'minPixels' | 'most'>;
    /** Documents with this many pages are read in the large lane. */
    largePages: number;
    /** Daily budget of workspaces that do not set their own. */
    dailyBudgetMicros: number | undefined;
    unpack: UnpackLimits & { depth: number; volumeWaitMs: number };
    /** How long a delivery may wait for its document manager. */
    deliveryGiveUpMs: number;
  };
}

export interface Surroundings {
  services: Pick<Services, 'databaseUrl' | 'directUrl'>;
  seal: Seal;
  redis: RedisClient;
  log: Log;
  metrics: Metrics;
  tracing: Tracing;
  closers: Closers;
}

export async function openResources(
  config: Config,
  { services, seal, redis, log, metrics, tracing, closers }: Surroundings,
): Promise<Resources> {
  const database = await openPostgres(services, {
    connections: config.DATABASE_POOL,
    onError: (error) => log.warn({ err: error }, 'a connection to Postgres was lost'),
  });
  closers.add(() => database.close());
  metrics.watchPool(database.pool);
  const sandbox = openSandbox({
    processes: config.MILLRACE_SANDBOX_PROCESSES ?? availableParallelism(),
    lightProcesses: config.MILLRACE_SANDBOX_LIGHT_PROCESSES,
    memoryMb: config.MILLRACE_SANDBOX_MEMORY_MB,
    largeMemoryMb: config.MILLRACE_LARGE_MEMORY_MB,
    recycleAfter: 200,
    ...sandboxSettings(config),
  });
  closers.add(() => sandbox.close());
  const providers = openProviders(redis, {
    prefix: config.MILLRACE_REDIS_PREFIX,
    log,
    metrics,
    tracing,
  });
  const { govern, storageBreaker } = providers;
  const storage = await openStorage(storageSettings(config), storageBreaker);
  closers.add(() => storage.close());
  const { usual: reader, choice: ocr } = await openReaders(config, { sandbox, govern });
  closers.add(() => ocr.close());
  const { usual: extractor, choice: llm } = await openExtractors(config, { govern });
  closers.add(() => llm.close());
  const outgoing = openOutgoing({
    allow: config.MILLRACE_OUTGOING_ALLOW ?? [],
    insecure: config.MILLRACE_OUTGOING_INSECURE,
    tracing,
  });
  closers.add(() => outgoing.close());
  const settings = {
    qualityThreshold: config.MILLRACE_QUALITY_THRESHOLD,
    maxPixels: config.MILLRACE_MAX_PIXELS,
    inlineOcr: {
      minPixels: config.MILLRACE_INLINE_OCR_MIN_PIXELS,
      most: config.MILLRACE_INLINE_OCR_PICTURES,
    },
    largePages: config.MILLRACE_LARGE_PAGES,
    unpack: {
      entries: config.MILLRACE_MAX_ENTRIES,
      bytes: config.MILLRACE_MAX_UNPACKED_MB * 2 ** 20,
      depth: config.MILLRACE_MAX_NESTING,
      ratio: config.MILLRACE_MAX_EXPANSION,
      volumeWaitMs: config.MILLRACE_VOLUME_WAIT,
    },
    deliveryGiveUpMs: config.MILLRACE_DELIVERY_GIVE_UP,
    dailyBudgetMicros:
      config.MILLRACE_DAILY_BUDGET === undefined
        ? undefined
        : toMicros(config.MILLRACE_DAILY_BUDGET),
  };
  const engines = { ocr, llm };
  const { MILLRACE_CLAMD: clamd } = config;
  return {
    scanner: clamd === undefined ? undefined : openClamd(clamd),
    database,
    storage,
    sandbox,
    reader,
    extractor,
    engines,
    providers,
    outgoing,
    seal,
    log,
    metrics,
    tracing,
    settings,
  };
}

function storageSettings(config: Config): Parameters<typeof openStorage>[0] {
  const {
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  } = config;
  if (!bucket) return { kind: 'files', directory: join(config.MILLRACE_DATA, 'files') };
  return {
    kind: 's3',
    bucket,
    region: config.AWS_REGION,
    forcePathStyle: config.S3_FORCE_PATH_STYLE,
    checksums: config.S3_CHECKSUMS,
    prefix: config.S3_PREFIX,
    ...(endpoint && { endpoint }),
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
  };
}
