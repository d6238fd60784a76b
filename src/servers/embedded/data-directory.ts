import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SetupError } from '../../errors.ts';
import { takeLock } from './directory-lock.ts';
import { isRoot } from './service-account.ts';

/** The data directory of the embedded servers. While open, no other process can use it. */
export interface DataDirectory {
  readonly path: string;
  /** A secret created on the first call and stored; the same name always returns the same text. */
  secret(name: string, make?: () => string): Promise<string>;
  close(): Promise<void>;
}

export async function openDataDirectory(directory: string): Promise<DataDirectory> {
  const path = resolve(directory);
  await makePrivate(path).catch((cause) => {
    const hint = 'Run Millrace as the owner of the directory, or set MILLRACE_DATA to another one.';
    throw new SetupError(`The data directory ${path} cannot be used: ${cause.message}`, hint, {
      cause,
    });
  });
  const unlock = await takeLock(join(path, 'lock.json'));
  return {
    path,
    secret: (name, make) => ensureSecret(path, name, make),
    close: unlock,
  };
}

async function makePrivate(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  // When we are root, Postgres runs as another user, which must be able to traverse this directory.
  await chmod(path, isRoot() ? 0o711 : 0o700);
}

/** See `DataDirectory.secret`. Only the owner of the data directory can read the file. */
export async function ensureSecret(
  dataDirectory: string,
  name: string,
  make = randomText,
): Promise<string> {
  const directory = join(dataDirectory, 'secrets');
  const path = join(directory, name);
  const stored = await readFile(path, 'utf8').catch(ifMissing);
  if (stored) return stored;
  const made = make();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // Written to another file and renamed, so that an interrupted write leaves no partial secret.
  await writeFile(`${path}.new`, made, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return made;
}

function randomText(): string {
  return randomBytes(32).toString('base64url');
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
