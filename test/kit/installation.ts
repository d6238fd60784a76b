import { expect, inject, vi } from 'vitest';
import { queueNames } from '../../src/engine/pipeline/pipeline.ts';
import { openQueues } from '../../src/engine/queues/queues.ts';
import { Closers } from '../../src/lib/closers.ts';
import { newId } from '../../src/lib/ids.ts';
import { openRedis } from '../../src/servers/redis/index.ts';
import { openStorage } from '../../src/storage/index.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { startCli, withHooks } from './cli.ts';
import { openTestEngine } from './engine.ts';
import { uniquePrefix } from './redis.ts';
import { type S3Server, s3Environment, s3SettingsOf } from './s3-server.ts';

/**
 * Generous, because the machine may be busy. Tests check whether something happens, not how fast.
 */
export const patience = { timeout: 200_000, interval: 50 };

export interface InstallationOptions {
  /** Files in a directory without it. */
  s3?: S3Server;
  redisUrl?: string;
  prefix?: string | undefined;
}

/**
 * Real processes with real Redis and Postgres, as in pods: they share a database, storage and
 * queues.
 */
export async function openInstallation({
  s3,
  redisUrl = inject('redisUrl'),
  prefix = uniquePrefix(),
}: InstallationOptions = {}) {
  const storage = s3 && (await openStorage({ kind: 's3', ...s3SettingsOf(s3) }));
  const engine = await openTestEngine(pipeline, storage && { storage });
  const closers = new Closers();
  const log = engine.resources.log;
  const { producer: redis } = await openRedis({ url: redisUrl, prefix }, log, closers);
  const queues = openQueues(queueNames(pipeline), { redis, prefix, log });
  const started = new Set<ReturnType<typeof startCli>>();
  const env = {
    DATABASE_URL: engine.url,
    REDIS_URL: redisUrl,
    MILLRACE_DATA: engine.directory,
    MILLRACE_REDIS_PREFIX: prefix,
    ...(s3 && s3Environment(s3)),
    MILLRACE_LEASE: '2s',
    MILLRACE_SHUTDOWN_GRACE: '5s',
    MILLRACE_SANDBOX_PROCESSES: '1',
    LOG_LEVEL: 'warn',
  };
  const stop = async () => {
    for (const { child, exited } of started) {
      child.kill('SIGTERM');
      await exited;
    }
    started.clear();
  };
  return {
    ...engine,
    env,
    prefix,
    redis,
    queues,
    start(args: string[], more: Record<string, string> = {}, program?: string) {
      const process = startCli(args, { ...env, ...more }, program, withHooks);
      started.add(process);
      return process;
    },
    /** Stops every process that was started. */
    stop,
    /** Admits a document that makes its reader perform these steps. */
    admitMock: async (...steps: object[]) => {
      const mock = JSON.stringify({ 'millrace-mock': steps, number: newId() });
      return (await engine.admit(mock, 'mock.json', { announce: queues.announce })).documentId;
    },
    /** Appends a unique suffix, because identical bytes would not be processed again. */
    admitNew: async (bytes: Buffer | string, name: string) => {
      const unique = Buffer.concat([Buffer.from(bytes), Buffer.from(`\n${newId()}\n`)]);
      return (await engine.admit(unique, name, { announce: queues.announce })).documentId;
    },
    completed: (id: string) =>
      vi.waitFor(
        async () => expect((await engine.ingestionOf(id)).status).toBe('completed'),
        patience,
      ),
    running: (id: string, stage: string) =>
      vi.waitFor(
        async () => expect(await engine.taskOf(id)).toMatchObject({ state: 'running', stage }),
        patience,
      ),
    async close() {
      await stop();
      await queues.close();
      await closers.close();
      await storage?.close();
      await engine.close();
    },
  };
}
