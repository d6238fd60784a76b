import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { loopback } from './free-port.ts';
import type { GuardedProcess } from './guarded-process.ts';
import type { RedisProgram } from './redis-program.ts';
import type { RedisUsers } from './redis-users.ts';

const programs = { 'redis-server': 'Redis', 'valkey-server': 'Valkey' };
const oldest = { major: 6, minor: 2 };
const reconnectMs = 20;

/** The Redis or Valkey server on the PATH, if there is one of version 6.2 or later. */
export async function findNativeRedis(): Promise<RedisProgram | undefined> {
  for (const [command, name] of Object.entries(programs)) {
    const version = await versionOf(command);
    if (version)
      return { kind: `${name} ${version}`, folder: 'redis', start: startWith(command), ready };
  }
}

async function versionOf(command: string): Promise<string | undefined> {
  const asked = await promisify(execFile)(command, ['--version']).catch(() => ({ stdout: '' }));
  const version = /v=(\d+)\.(\d+)\S*/.exec(asked.stdout);
  if (!version) return undefined;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  const enough = major > oldest.major || (major === oldest.major && minor >= oldest.minor);
  return enough ? version[0].slice('v='.length) : undefined;
}

function startWith(command: string): RedisProgram['start'] {
  return (port, home, { aclFile }) => {
    const settings = {
      port: String(port),
      bind: loopback,
      dir: home,
      aclfile: aclFile,
      appendonly: 'yes',
      appendfsync: 'everysec',
      'maxmemory-policy': 'noeviction',
      save: '',
      daemonize: 'no',
    };
    return {
      command: '/bin/sh',
      args: [
        '-c',
        'exec "$@" >&2',
        'sh',
        command,
        ...Object.entries(settings).flatMap(([k, v]) => [`--${k}`, v]),
      ],
    };
  };
}

async function ready(
  server: GuardedProcess,
  port: number,
  { adminUrl }: RedisUsers,
): Promise<boolean> {
  const client = new Redis(adminUrl(port), {
    retryStrategy: () => reconnectMs,
    maxRetriesPerRequest: null,
  });
  client.on('error', () => {}); // refused until the server listens
  server.ended.finally(() => client.disconnect());
  try {
    // Another server may have taken the port first. Its reply then names another process.
    return (await client.info('server')).includes(`process_id:${server.pid}\r`);
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}
