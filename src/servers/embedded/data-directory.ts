import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SetupError } from '../../errors.ts';
import { takeLock } from './directory-lock.ts';
import { isRoot } from './service-account.ts';

/** The directory where Millrace keeps what it starts itself. Whoever holds this object holds the directory alone. */
export interface DataDirectory {
  readonly path: string;
  /** A text made at the first call and kept: the same name always gives the same text. */
  secret(name: string, make?: () => string): Promise<string>;
  close(): Promise<void>;
}

export async function openDataDirectory(directory: string): Promise<DataDirectory> {
  const path = resolve(directory);
  await makePrivate(path).catch((cause) => {
    const hint = 'Run Millrace as the user who owns it, or choose another MILLRACE_DATA.';
    throw new SetupError(`The data directory ${path} cannot be used: ${cause.message}`, hint, {
      cause,
    });
  });
  const unlock = await takeLock(join(path, 'lock.json'));
  return {
    path,
    secret: (name, make) => keptSecret(join(path, 'secrets'), name, make),
    close: unlock,
  };
}

async function makePrivate(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  // As root the database server runs as another user, who has to pass through here but may not look around.
  await chmod(path, isRoot() ? 0o711 : 0o700);
}

async function keptSecret(directory: string, name: string, make = randomText): Promise<string> {
  const path = join(directory, name);
  const kept = await readFile(path, 'utf8').catch(ifMissing);
  if (kept) return kept;
  const made = make();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // Written aside and renamed: an interrupted write must not leave half a secret behind.
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
