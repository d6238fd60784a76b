import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort, loopback } from '../../src/servers/embedded/free-port.ts';
import { startGuarded } from '../../src/servers/embedded/guarded-process.ts';
import { serviceAccount } from '../../src/servers/embedded/service-account.ts';
import { isInstalled } from './program.ts';

export const hasPgBouncer = isInstalled('pgbouncer');

export interface PgBouncerOptions {
  /** For its configuration and log. */
  directory: string;
  /** A database of Postgres; the user has no password. */
  databaseUrl: string;
  mode: 'session' | 'transaction';
  /** Connections to Postgres. */
  size?: number;
}

/** A real PgBouncer in front of Postgres. */
export async function startPgBouncer({
  directory,
  databaseUrl,
  mode,
  size = 20,
}: PgBouncerOptions) {
  const server = new URL(databaseUrl);
  const port = await freePort();
  const file = join(directory, `pgbouncer-${port}.ini`);
  const users = join(directory, `users-${port}.txt`);
  await writeFile(users, `"${server.username}" "${server.password}"\n`);
  const settings = [
    '[databases]',
    `* = host=${server.hostname} port=${server.port}`,
    '[pgbouncer]',
    `listen_addr = ${loopback}`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${users}`,
    `admin_users = ${server.username}`,
    `pool_mode = ${mode}`,
    `default_pool_size = ${size}`,
    'max_client_conn = 500',
  ];
  await writeFile(file, `${settings.join('\n')}\n`);
  // It refuses to run as root.
  await Promise.all([chmod(directory, 0o755), chmod(file, 0o644), chmod(users, 0o644)]);
  const launch = () =>
    startGuarded({
      command: '/bin/sh',
      args: ['-c', 'exec "$@" >&2', 'sh', 'pgbouncer', file],
      // Its quick shutdown.
      stopSignal: 'TERM',
      logFile: join(directory, 'pgbouncer.log'),
      account: serviceAccount(),
    });
  const url = new URL(databaseUrl);
  url.port = String(port);
  url.hostname = loopback;
  let running = await launch();
  await untilAnswers(url.href);
  return {
    url: url.href,
    /** Ends it and all connections through it, and starts it again. */
    async restart() {
      await running.stop();
      running = await launch();
      await untilAnswers(url.href);
    },
    stop: () => running.stop(),
  };
}

async function untilAnswers(url: string): Promise<void> {
  for (const deadline = Date.now() + 20_000; ; await sleep(50)) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
