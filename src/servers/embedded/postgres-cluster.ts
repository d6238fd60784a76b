import { randomUUID } from 'node:crypto';
import { access, chown, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupError } from '../../errors.ts';
import { startGuarded } from './guarded-process.ts';
import { lastLines } from './log-file.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { serviceAccount } from './service-account.ts';

export const superuser = 'millrace';
/** Nothing of the surrounding environment (PGDATA, PGPORT, LANG) may steer the private server. */
export const postgresEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };

const unfinished = 'preparing-';

interface ClusterOptions {
  readonly home: string;
  readonly binaries: PostgresBinaries;
  readonly logFile: string;
  readonly log: (message: string) => void;
}

/** The cluster directory below `home`, made when it is not there. */
export async function ensureCluster(options: ClusterOptions): Promise<string> {
  const { home, log } = options;
  const cluster = join(home, 'cluster');
  for (const name of await readdir(home)) {
    if (name.startsWith(unfinished))
      await rm(join(home, name), { recursive: true, force: true, maxRetries: 10 });
  }
  if (await exists(cluster)) return cluster;
  log('first start: preparing the database');
  // Renamed when complete, so that an interrupted first start leaves nothing that looks like a database.
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
      'trust',
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
  const hint = `Look at ${logFile}; a full disk and a file system without owners are the usual reasons.`;
  throw new SetupError(
    `The database could not be prepared (initdb ended with ${code}):\n${await lastLines(logFile)}`,
    hint,
  );
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
