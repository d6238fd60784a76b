import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupError } from '../../errors.ts';
import { ensureSecret } from './data-directory.ts';
import type { EmbeddedServer } from './embedded-server.ts';
import { freePort, loopback } from './free-port.ts';
import { type GuardedProcess, startGuarded } from './guarded-process.ts';
import { lastLines, rotateLog, saysPortTaken } from './log-file.ts';
import { lockCluster } from './postgres-access.ts';
import { preparePostgresBinaries } from './postgres-binaries.ts';
import { ensureCluster, postgresEnvironment, superuser } from './postgres-cluster.ts';
import { openPostgresHome } from './postgres-home.ts';
import { database, ensureDatabase, users } from './postgres-users.ts';
import { readPostmaster, stopLeftoverPostmaster } from './postmaster.ts';
import { serviceAccount } from './service-account.ts';

export interface PostgresOptions {
  readonly directory: string;
  /** False trades crash safety for speed. For tests only. */
  readonly durable: boolean;
  readonly log: (message: string) => void;
}

const attempts = 5;
const pollMs = 10;

export interface PostgresServer extends EmbeddedServer {
  /** The user that owns the database and migrates it. */
  readonly ownerUrl: string;
}

/** Starts the embedded PostgreSQL, with its data in the data directory. */
export async function startPostgres({
  directory,
  durable,
  log,
}: PostgresOptions): Promise<PostgresServer> {
  const logFile = join(directory, 'postgres.log');
  await rotateLog(logFile);
  const home = await openPostgresHome(directory, log);
  const binaries = await preparePostgresBinaries(home);
  const cluster = await ensureCluster({ home, binaries, logFile, log });
  await stopLeftoverPostmaster(cluster);
  const passwords = {
    superuser: await ensureSecret(directory, 'postgres-superuser'),
    owner: await ensureSecret(directory, 'postgres-owner'),
    runtime: await ensureSecret(directory, 'postgres-runtime'),
  };
  await lockCluster(cluster, binaries.postgres, passwords.superuser);
  const { server, port } = await launch(binaries.postgres, cluster, logFile, durable);
  const urlOf = (user: string, password: string, name = database) =>
    `postgres://${user}:${password}@${loopback}:${port}/${name}`;
  try {
    await ensureDatabase((name) => urlOf(superuser, passwords.superuser, name), passwords);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    url: urlOf(users.runtime, passwords.runtime),
    ownerUrl: urlOf(users.owner, passwords.owner),
    adminUrl: urlOf(superuser, passwords.superuser),
    kind: `PostgreSQL ${binaries.version}`,
    ended: server.ended,
    stop: server.stop,
  };
}

async function launch(command: string, cluster: string, logFile: string, durable: boolean) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const server = await startGuarded({
      command,
      args: ['-D', cluster, ...settings(port, durable)],
      stopSignal: 'INT',
      logFile,
      env: postgresEnvironment,
      account: serviceAccount(),
    });
    if (await becomesReady(server, cluster)) return { server, port };
    if (attempt < attempts && (await saysPortTaken(logFile))) continue;
    const output = await lastLines(logFile);
    throw new SetupError(
      `The embedded PostgreSQL did not start:\n${output}`,
      `See ${logFile}, or set DATABASE_URL to your own server.`,
    );
  }
}

function settings(port: number, durable: boolean): string[] {
  const values = {
    listen_addresses: loopback,
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(!durable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function becomesReady(server: GuardedProcess, cluster: string): Promise<boolean> {
  let ended = false;
  server.ended.finally(() => {
    ended = true;
  });
  for (; !ended; await sleep(pollMs)) {
    const postmaster = await readPostmaster(cluster);
    if (postmaster?.ready && postmaster.pid === server.pid) return true;
  }
  return false;
}
