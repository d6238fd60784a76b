import { expect, test } from 'vitest';
import { loadConfig } from '../config/index.ts';
import { quarantineEnvironment } from './quarantine.ts';

test('the process for suspects listens on a port of its own', async () => {
  const services = {
    databaseUrl: 'postgres://db',
    directUrl: undefined,
    ownerUrl: undefined,
    redisUrl: 'redis://cache',
    directory: undefined,
    describe: [],
  };
  const environment = {
    MILLRACE_METRICS_PORT: '9464',
    MILLRACE_SECRET_KEY: 'a key that is long enough to seal with',
  };
  const there = await quarantineEnvironment({
    config: loadConfig(environment, [], undefined),
    services,
  });
  const config = loadConfig({ ...environment, ...there }, [], undefined);
  expect(config).toMatchObject({
    DATABASE_URL: 'postgres://db',
    REDIS_URL: 'redis://cache',
    MILLRACE_METRICS_PORT: 0,
    MILLRACE_SECRET_KEY: environment.MILLRACE_SECRET_KEY,
  });
});
