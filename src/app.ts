import { type Config, collectSecrets } from './config/index.ts';
import type { Retirement } from './engine/queues/lifetime.ts';
import { Closers } from './lib/closers.ts';
import { createLogger, type Log } from './observability/logger.ts';
import type { Resources } from './resources.ts';
import { type Core, openCore } from './roles/core.ts';
import type { AdminKey } from './roles/credentials.ts';
import { createMonitor, startMonitoring } from './roles/monitor.ts';
import { startSchedulerRole } from './roles/scheduler.ts';
import { startWorkerRole } from './roles/worker.ts';

export interface App extends Pick<Core, 'resources' | 'queues' | 'intake' | 'workspaceId'> {
  /** Where the API listens, when this process has that role. */
  url: string | undefined;
  /** The administrator's key, if this process knows it. */
  key: AdminKey | undefined;
  /** Services that this process started because no address is configured. */
  embedded: string[];
  /** Resolves when this process has reached its work or memory limit and should be replaced. */
  retired: Promise<Retirement>;
  close(): Promise<void>;
}

export interface AppOptions {
  log?: Log;
  /** Replaces resources that the configuration would open. */
  resources?: Partial<Resources>;
  /** Called with a description of each startup step. */
  onProgress?: (step: string) => void;
}

/** The composition root: opens what the configured roles need and closes it in reverse order. */
export async function createApp(
  config: Config,
  { log, resources: overrides = {}, onProgress = () => undefined }: AppOptions = {},
): Promise<App> {
  const closers = new Closers();
  try {
    const core = await openCore(config, {
      log:
        log ??
        createLogger({
          level: config.LOG_LEVEL,
          format: config.LOG_FORMAT,
          secrets: collectSecrets(config),
        }),
      overrides,
      onProgress,
      closers,
    });
    const roles = new Set(config.MILLRACE_ROLES);
    const monitor = createMonitor(core);
    await startMonitoring(core, monitor, closers);
    const lifetime = roles.has('worker') ? await startWorkerRole(core, closers) : undefined;
    if (roles.has('scheduler')) startSchedulerRole(core, closers);
    // Imported lazily: only this role needs express and Bull Board.
    const api = roles.has('api')
      ? await (await import('./roles/api.ts')).startApiRole(core, monitor, closers)
      : undefined;
    const { resources, queues, intake, workspaceId } = core;
    const embedded = core.services.describe;
    return {
      resources,
      queues,
      intake,
      workspaceId,
      url: api?.url,
      key: api?.key,
      embedded,
      retired: lifetime?.over ?? new Promise(() => undefined),
      close: () => closers.close(),
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}
