import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Config } from '../config/index.ts';
import { migrate } from '../db/migrate.ts';
import { ensureWorkspace } from '../db/workspaces.ts';
import { bundleSize, listLanedStages, queueNames } from '../engine/pipeline/pipeline.ts';
import { openQueues, type Queues } from '../engine/queues/queues.ts';
import type { JobContext } from '../engine/schedule/interval-job.ts';
import { createRunner, type Runner } from '../engine/task/runner.ts';
import { putSchemaFiles } from '../extraction/schema-files.ts';
import { type Intake, openIntake } from '../intake/intake.ts';
import type { Closers } from '../lib/closers.ts';
import type { Log } from '../observability/logger.ts';
import { createMetrics } from '../observability/metrics/index.ts';
import { openTracing, parseHeaders } from '../observability/tracing/open.ts';
import { openResources, type Resources } from '../resources.ts';
import { openServices, type Services } from '../servers/index.ts';
import { openRedis, type RedisConnections } from '../servers/redis/index.ts';
import { version } from '../version.ts';
import { pipeline } from '../workers/pipeline.ts';
import { ensureSeal } from './credentials.ts';

/** What every process has regardless of its roles: connections, resources, queues, the engine. */
export interface Core {
  config: Config;
  services: Services;
  redis: RedisConnections;
  resources: Resources;
  queues: Queues;
  intake: Intake;
  runner: Runner;
  /** Name of this process in leases and events. */
  worker: string;
  workspaceId: string;
  jobContext: JobContext;
  /** Each returns why this process is stalled, or undefined if it is not. */
  stallChecks: (() => Promise<string | undefined>)[];
}

export interface CoreOptions {
  log: Log;
  /** Replaces resources that the configuration would open. */
  overrides: Partial<Resources>;
  onProgress: (step: string) => void;
  closers: Closers;
}

export async function openCore(
  config: Config,
  { log, overrides, onProgress, closers }: CoreOptions,
): Promise<Core> {
  const tracing = await openTracing(tracingSettings(config), log, closers);
  const services = await openServices(config, onProgress, closers);
  const redis = await openRedis(
    {
      url: services.redisUrl,
      caFile: config.REDIS_CA_FILE,
      prefix: config.MILLRACE_REDIS_PREFIX,
    },
    log,
    closers,
  );
  const surroundings = {
    services,
    seal: await ensureSeal(config, services.directory),
    redis: redis.producer,
    log,
    metrics: createMetrics(),
    tracing,
    closers,
  };
  const resources = { ...(await openResources(config, surroundings)), ...overrides };
  await migrate(resources.database.locks, services.ownerUrl);

  const queues = openQueues(queueNames(pipeline), {
    redis: redis.producer,
    prefix: config.MILLRACE_REDIS_PREFIX,
    log,
    bundleOf: (queue) => bundleSize(pipeline, queue, config.stages[queue]),
    fair: true,
  });
  closers.add(() => queues.close());
  const { announce } = queues;
  const largeFrom = {
    bytes: config.MILLRACE_LARGE_MB * 2 ** 20,
    pages: config.MILLRACE_LARGE_PAGES,
  };
  const admission = {
    first: 'claim',
    giveUpMs: config.MILLRACE_GIVE_UP,
    deliveryGiveUpMs: config.MILLRACE_DELIVERY_GIVE_UP,
    tracing,
    lanes: listLanedStages(pipeline, largeFrom),
  };
  const worker = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const runner = createRunner(pipeline, resources, {
    worker,
    leaseMs: config.MILLRACE_LEASE,
    ...admission,
    maxAttempts: config.MILLRACE_MAX_ATTEMPTS,
    largeFrom,
    overrides: config.stages,
    announce,
  });
  closers.add(() => runner.leases.stop());
  const maxBytes = config.MILLRACE_MAX_UPLOAD_MB * 2 ** 20;
  const intake = openIntake(resources.database.db, { ...admission, maxBytes, announce });
  const workspaceId = await ensureWorkspace(resources.database.db, 'default');
  if (config.MILLRACE_SCHEMAS) await putSchemas(resources, workspaceId, config.MILLRACE_SCHEMAS);
  const jobContext = {
    ...resources,
    queues,
    policy: runner.policy,
    failSubject: runner.failSubject,
    leaseMs: config.MILLRACE_LEASE,
    admission,
    batchGraceMs: config.MILLRACE_BATCH_GRACE,
    batchStuckMs: config.MILLRACE_BATCH_STUCK,
    storageGraceMs: config.MILLRACE_STORAGE_GRACE,
    keepHistoryMs: config.MILLRACE_KEEP_HISTORY,
    keepAuditMs: config.MILLRACE_KEEP_AUDIT,
  };
  const own = { config, services, redis, resources, queues, intake, runner, worker, workspaceId };
  return { ...own, jobContext, stallChecks: [] };
}

async function putSchemas(
  { database, log }: Resources,
  workspaceId: string,
  directory: string,
): Promise<void> {
  for (const { name, version } of await putSchemaFiles(database.db, workspaceId, directory))
    log.info({ schema: name, version }, 'schema from a file activated');
}

function tracingSettings(config: Config): Parameters<typeof openTracing>[0] {
  return {
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: parseHeaders(config.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
    service: config.OTEL_SERVICE_NAME,
    version,
    share: config.OTEL_TRACES_SAMPLER_ARG,
  };
}
