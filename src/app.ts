import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { MonitorContext } from './api/context.ts';
import { startMonitor, startServer } from './api/server.ts';
import { type Config, secretsOf } from './config/index.ts';
import { ensureKey } from './credentials.ts';
import { migrate } from './db/migrate.ts';
import { ensureWorkspace } from './db/workspaces.ts';
import { watchFleet } from './engine/fleet.ts';
import { startScheduler } from './engine/interval.ts';
import { openJobRunner } from './engine/job-runner.ts';
import { Progress } from './engine/progress.ts';
import { openQueues, type Queues } from './engine/queues.ts';
import { createRunner } from './engine/runner.ts';
import { startWorkers } from './engine/workers.ts';
import type { Intake } from './intake/upload.ts';
import { schedule } from './jobs/schedule.ts';
import { Closers } from './lib/closers.ts';
import { keys } from './lib/keys.ts';
import { createLogger, type Log } from './observability/logger.ts';
import { createMetrics } from './observability/metrics.ts';
import { openRedis } from './redis.ts';
import { openResources, type Resources } from './resources.ts';
import { harden } from './sandbox/hardening.ts';
import { openServices } from './services.ts';
import { pipeline } from './workers/pipeline.ts';

export interface App {
  resources: Resources;
  queues: Queues;
  intake: Intake;
  workspaceId: string;
  /** Where the API listens, when this process has that role. */
  url: string | undefined;
  /** The administrator's key, where this process keeps one. */
  key: string | undefined;
  /** What runs beside us because no address was configured. */
  embedded: string[];
  close(): Promise<void>;
}

export interface AppOptions {
  log?: Log;
  /** Told what is being done while it starts. */
  onProgress?: (step: string) => void;
}

/** The composition root: builds everything a process of these roles needs, closes it in reverse. */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const closers = new Closers();
  try {
    return await open(config, closers, options);
  } catch (error) {
    await closers.close();
    throw error;
  }
}

async function open(
  config: Config,
  closers: Closers,
  {
    onProgress = () => undefined,
    log = createLogger({ level: config.LOG_LEVEL, format: config.LOG_FORMAT, secrets: secretsOf(config) }),
  }: AppOptions,
): Promise<App> {
  const services = await openServices(config, onProgress, closers);
  const metrics = createMetrics();
  const redis = await openRedis(services.redisUrl, log, closers);
  const resources = await openResources(config, {
    databaseUrl: services.databaseUrl,
    redis: redis.producer,
    log,
    metrics,
    closers,
  });
  await migrate(resources.database.pool);

  const stages = keys(pipeline);
  const prefix = config.MILLRACE_REDIS_PREFIX;
  const queues = openQueues(stages, { redis: redis.producer, prefix, log });
  closers.add(() => queues.close());
  const workspaceId = await ensureWorkspace(resources.database.db, 'default');
  const giveUpMs = config.MILLRACE_GIVE_UP;
  const intake: Intake = {
    first: 'claim',
    giveUpMs,
    maxBytes: config.MILLRACE_MAX_UPLOAD_MB * 2 ** 20,
    announce: queues.announce,
  };
  const runner = createRunner(pipeline, resources, {
    worker: `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`,
    leaseMs: config.MILLRACE_LEASE,
    giveUpMs,
    maxAttempts: config.MILLRACE_MAX_ATTEMPTS,
    overrides: config.stages,
    announce: queues.announce,
  });
  closers.add(() => runner.leases.stop());

  const roles = new Set(config.MILLRACE_ROLES);
  const jobContext = { ...resources, queues, policy: runner.policy };
  const standstills: (() => Promise<string | undefined>)[] = [];
  const monitor: MonitorContext = {
    resources,
    fleet: roles.has('api') || roles.has('scheduler') ? watchFleet({ ...resources, queues, schedule }) : undefined,
    checks: {
      postgres: async () => void (await resources.database.pool.query('select 1')),
      redis: async () => void (await redis.producer.ping()),
      storage: () => resources.storage.check(),
    },
    standstills,
  };
  // Opened before the workers and closed after them: how a process drains is to be seen.
  if (config.MILLRACE_METRICS_PORT !== undefined) {
    const monitored = await startMonitor(monitor, { host: config.MILLRACE_HOST, port: config.MILLRACE_METRICS_PORT });
    closers.add(() => monitored.close());
  }
  if (roles.has('worker')) {
    const own = config.MILLRACE_STAGES ?? stages;
    const progress = new Progress(own);
    standstills.push(() => progress.standstill(queues));
    const workers = startWorkers(runner, {
      stages: own,
      progress,
      redis: redis.worker,
      prefix,
      limitsOf: (stage) => ({
        concurrency: config.stages[stage]?.concurrency ?? pipeline[stage as keyof typeof pipeline].stage.concurrency,
        rate: config.stages[stage]?.rate,
      }),
      fork: (execArgv) => harden({ memoryMb: config.MILLRACE_SANDBOX_MEMORY_MB, execArgv }),
    });
    closers.add(() => workers.stop(config.MILLRACE_SHUTDOWN_GRACE));
  }
  if (roles.has('scheduler')) {
    const scheduler = startScheduler(schedule, jobContext);
    standstills.push(async () => scheduler.standstill());
    closers.add(() => scheduler.stop());
  }
  const key = roles.has('api') ? await ensureKey(resources.database.db, config, services.directory) : undefined;
  const server = roles.has('api')
    ? await startServer(
        {
          ...monitor,
          resources,
          intake,
          queues,
          jobs: openJobRunner(schedule, jobContext),
          defaultWorkspaceId: workspaceId,
        },
        { host: config.MILLRACE_HOST, port: config.MILLRACE_PORT },
      )
    : undefined;
  if (server) closers.add(() => server.close());
  return {
    resources,
    queues,
    intake,
    workspaceId,
    url: server?.url,
    key,
    embedded: services.describe,
    close: () => closers.close(),
  };
}
