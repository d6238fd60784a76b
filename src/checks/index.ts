import { tmpdir } from 'node:os';
import type { Config } from '../config/index.ts';
import { usualExtractor } from '../extraction/index.ts';
import type { Closers } from '../lib/closers.ts';
import { createLogger } from '../observability/logger.ts';
import { createMetrics } from '../observability/metrics/index.ts';
import { noTracing } from '../observability/tracing/index.ts';
import { usualReader } from '../providers/ocr/index.ts';
import { openResources } from '../resources.ts';
import { ensureSeal } from '../roles/credentials.ts';
import { openServices } from '../servers/index.ts';
import { openPostgres } from '../servers/postgres.ts';
import { openRedis } from '../servers/redis/index.ts';
import type { Check } from './check.ts';
import { examineConnections } from './connections.ts';
import { examineDisk } from './disk.ts';
import { examineOpenAi } from './llm.ts';
import { examineNode } from './node.ts';
import { examineDocumentAi, examineLocalReader } from './ocr.ts';
import { examinePooler } from './pooler.ts';
import { examineClock, examineMigrations, examinePostgres } from './postgres.ts';
import { examinePrograms } from './programs.ts';
import { examineRedis } from './redis.ts';
import { examineSandbox } from './sandbox.ts';
import { examineSeal } from './seal.ts';
import { examineCollector } from './tracing.ts';
import { examineScanner } from './virus-scanner.ts';

/** Checks of everything Millrace depends on, ordered by dependency. */
export function checks(
  config: Config,
  closers: Closers,
  onProgress: (step: string) => void,
): Check[] {
  const { services, redis, seal, database, resources } = surroundings(config, closers, onProgress);
  const pool = async () => (await database()).pool;
  return [
    { name: 'versions', run: examineNode },
    {
      name: 'disk',
      run: () =>
        examineDisk([...new Set([config.S3_BUCKET ? tmpdir() : config.MILLRACE_DATA, tmpdir()])]),
    },
    {
      name: 'services',
      run: async () => ({
        found: (await services()).describe.join(', ') || 'external Postgres and Redis',
      }),
    },
    { name: 'redis', run: async () => examineRedis(await redis(), config.REDIS_URL === undefined) },
    { name: 'postgres', run: async () => examinePostgres(await pool()) },
    { name: 'pooler', run: async () => examinePooler(await database()) },
    { name: 'connections', run: async () => examineConnections(await database(), config) },
    { name: 'migrations', run: async () => examineMigrations(await pool()) },
    { name: 'clock', run: async () => examineClock(await pool()) },
    { name: 'secret key', run: async () => examineSeal(await seal()) },
    {
      name: 'storage',
      async run() {
        await (await resources()).storage.check();
        return {
          found: `${config.S3_BUCKET ? `bucket ${config.S3_BUCKET}` : 'local directory'} is writable`,
        };
      },
    },
    { name: 'sandbox', run: async () => examineSandbox(config.MILLRACE_SANDBOX_SHARE) },
    {
      name: 'reader',
      run: async () => examineLocalReader(await (await resources()).engines.ocr.open('local')),
    },
    { name: 'programs', run: () => examinePrograms() },
    ...vendors(config),
  ];
}

/** Only for vendors that are in use. */
function vendors(config: Config): Check[] {
  const {
    MILLRACE_CLAMD: clamd,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_EXPORTER_OTLP_HEADERS: headers,
  } = config;
  return [
    ...(usualReader(config) === 'documentai'
      ? [{ name: 'document ai', run: () => examineDocumentAi(config) }]
      : []),
    ...(usualExtractor(config) === 'openai'
      ? [{ name: 'model', run: () => examineOpenAi(config) }]
      : []),
    ...(clamd ? [{ name: 'virus scanner', run: () => examineScanner(clamd) }] : []),
    ...(collector ? [{ name: 'traces', run: () => examineCollector(collector, headers) }] : []),
  ];
}

/** Each is opened by the first check that needs it, so that a failure is reported there. */
function surroundings(config: Config, closers: Closers, onProgress: (step: string) => void) {
  const log = createLogger({ level: 'silent', format: 'json' });
  const services = once(() => openServices(config, onProgress, closers));
  const redis = once(async () => {
    const { REDIS_CA_FILE: caFile, MILLRACE_REDIS_PREFIX: prefix } = config;
    const { redisUrl: url } = await services();
    return (await openRedis({ url, caFile, prefix }, log, closers)).producer;
  });
  const database = once(async () => {
    const opened = await openPostgres(await services(), { connections: 2, onError: () => {} });
    closers.add(() => opened.close());
    return opened;
  });
  const seal = once(async () => ensureSeal(config, (await services()).directory));
  const resources = once(async () => {
    const around = {
      services: await services(),
      seal: await seal(),
      redis: await redis(),
      log,
      closers,
    };
    return openResources(config, { ...around, metrics: createMetrics(), tracing: noTracing });
  });
  return { services, redis, seal, database, resources };
}

function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open();
    return opened;
  };
}
