import { randomUUID } from 'node:crypto';
import { access, chown, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupError } from '../../errors.ts';
import { startGuarded } from './guarded-process.ts';
import { lastLines } from './log-file.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { serviceAccount } from './service-account.ts';

/** Created with the cluster, so it cannot be deprived of its rights. */
export const superuser = 'millrace';
/** The embedded server must not inherit PGDATA, PGPORT, LANG and the like. */
export const postgresEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };

const unfinished = 'preparing-';

interface ClusterOptions {
  readonly home: string;
  readonly binaries: PostgresBinaries;
  readonly logFile: string;
  readonly log: (message: string) => void;
}

/** The cluster directory in `home`, created if missing. */
export async function ensureCluster(options: ClusterOptions): Promise<string> {
  const { home, log } = options;
  const cluster = join(home, 'cluster');
  for (const name of await readdir(home)) {
    if (name.startsWith(unfinished))
      await rm(join(home, name), { recursive: true, force: true, maxRetries: 10 });
  }
  if (await exists(cluster)) return cluster;
  log('first start: preparing the database');
  // Renamed when complete, so that an interrupted first start leaves no half-made cluster.
  const making = join(home, `${unfinished}${randomUUID()}`);
  await initialise(making, options);
  await rename(making, cluster);
  return cluster;
}

async function initialise(directory: string, { binaries, logFile }: ClusterOptions): Promise<void> {
  const account = serviceAccount();
  await mkdir(directory, { mode: 0o700 });
  if (account) await chown(directory, account.uid, account.gid);
  const initdb = await startGuarded({
    command: binaries.initdb,
    args: [
      '-D',
      directory,
      '-U',
      superuser,
      '-A',
      // Nobody gets in until the passwords are set.
      'reject',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ],
    stopSignal: 'TERM',
    logFile,
    env: postgresEnvironment,
    account,
  });
  const code = await initdb.ended;
  if (code === 0) return;
  await rm(directory, { recursive: true, force: true });
  const hint = `See ${logFile}. Usual causes: a full disk, or a file system without file owners.`;
  throw new SetupError(
    `The database could not be prepared (initdb exited with ${code}):\n${await lastLines(logFile)}`,
    hint,
  );
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
