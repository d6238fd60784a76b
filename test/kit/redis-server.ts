import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis, type RedisOptions } from 'ioredis';
import { freePort, loopback } from '../../src/servers/embedded/free-port.ts';
import { startGuarded } from '../../src/servers/embedded/guarded-process.ts';
import { isInstalled } from './program.ts';

/** Redis 7 or newer: the fixtures choose the ports of the cluster bus. */
export const hasRedis = isInstalled('redis-server');

export type RedisServer = Awaited<ReturnType<typeof startRedisServer>>;

export interface RedisServerOptions {
  /** For its data and log. */
  directory: string;
  /** Written to redis.conf style arguments. */
  settings?: Record<string, string>;
  /** `--sentinel`, with this configuration file. */
  sentinel?: string;
  /** To log in with, while waiting for it. */
  login?: Pick<RedisOptions, 'tls' | 'username' | 'password'>;
  port?: number;
}

/** A Redis server as users run it, which Millrace did not start. */
export async function startRedisServer(options: RedisServerOptions) {
  const { directory, settings = {}, sentinel, login } = options;
  const port = options.port ?? (await freePort());
  const home = join(directory, `redis-${port}`);
  await mkdir(home, { recursive: true });
  const all = {
    ...(settings['tls-port'] ? { port: '0' } : { port: String(port) }),
    bind: loopback,
    dir: home,
    ...(sentinel ? {} : { appendonly: 'yes', save: '' }),
    ...settings,
  };
  const args = [
    ...(sentinel ? [sentinel] : []),
    ...Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]),
    ...(sentinel ? ['--sentinel'] : []),
  ];
  const guarded = await startGuarded({
    command: '/bin/sh',
    args: ['-c', 'exec "$@" >&2', 'sh', 'redis-server', ...args],
    stopSignal: 'TERM',
    logFile: join(directory, `redis-${port}.log`),
  });
  const client = new Redis({
    host: loopback,
    port,
    maxRetriesPerRequest: null,
    retryStrategy: () => 50,
    ...login,
  });
  client.on('error', () => undefined);
  await client.ping();
  return {
    host: loopback,
    port,
    url: `redis://${loopback}:${port}`,
    /** For the test itself; reconnects by itself. */
    client,
    async kill() {
      process.kill(guarded.pid, 'SIGKILL');
      await guarded.ended;
    },
    async stop() {
      client.disconnect();
      await guarded.stop();
    },
  };
}
