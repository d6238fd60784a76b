import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { z } from 'zod';
import { openDataDirectory, startEmbedded } from '../../src/servers/embedded/index.ts';
import { dropTemplates } from './database.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string;
    redisUrl: string;
    /** Unique per run. Database names contain it, so that several runs can share a server. */
    testRun: string;
  }
}

const settingsSchema = z.object({
  MILLRACE_TEST_DATABASE_URL: z.url().optional(),
  MILLRACE_TEST_REDIS_URL: z.url().optional(),
  MILLRACE_TEST_REDIS_ENGINE: z.enum(['auto', 'native', 'wasm']).default('auto'),
});

/**
 * One Postgres and one Redis per test run: those configured in the environment, or embedded ones.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const settings = settingsSchema.parse(process.env);
  const path = await mkdtemp(join(tmpdir(), 'millrace-services-'));
  const directory = await openDataDirectory(path);
  const embedded = await startEmbedded({
    directory,
    services: {
      postgres: !settings.MILLRACE_TEST_DATABASE_URL,
      redis: !settings.MILLRACE_TEST_REDIS_URL,
    },
    redisEngine: settings.MILLRACE_TEST_REDIS_ENGINE,
    durable: false,
  });
  const databaseUrl = z
    .string()
    .parse(settings.MILLRACE_TEST_DATABASE_URL ?? embedded.admin.databaseUrl);
  const testRun = randomBytes(4).toString('hex');
  project.provide('databaseUrl', databaseUrl);
  project.provide(
    'redisUrl',
    z.string().parse(settings.MILLRACE_TEST_REDIS_URL ?? embedded.admin.redisUrl),
  );
  project.provide('testRun', testRun);
  return async () => {
    if (settings.MILLRACE_TEST_DATABASE_URL) await dropTemplates(databaseUrl, testRun);
    await embedded.stop();
    await directory.close();
    await rm(path, { recursive: true, force: true });
  };
}
