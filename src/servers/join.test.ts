import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../test/kit/temporary-directory.ts';
import { loadConfig } from '../config/index.ts';
import { Closers } from '../lib/closers.ts';
import { joinServices, openServices } from './index.ts';

async function open(path: string, how: typeof openServices) {
  const closers = new Closers();
  onTestFinished(() => closers.close());
  const environment = {
    MILLRACE_DATA: path,
    DATABASE_URL: 'postgres://elsewhere/millrace',
    MILLRACE_REDIS_ENGINE: 'wasm',
  };
  return { ...(await how(loadConfig(environment, [], undefined), () => {}, closers)), closers };
}

test('a command uses the servers of the process that runs on the same directory', async () => {
  const path = await temporaryDirectory();
  const running = await open(path, openServices);
  const joined = await open(path, joinServices);
  expect(joined.redisUrl).toBe(running.redisUrl);
  expect(await joined.directory?.secret('key')).toBe(await running.directory?.secret('key'));
  await joined.closers.close();
  await expect(open(path, openServices)).rejects.toThrow('in use');
  await running.closers.close();
  const next = await open(path, joinServices);
  expect(next.describe.join()).not.toContain('running process');
});
